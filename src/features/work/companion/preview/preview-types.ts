import type { MailPreview } from '../../../platform/mail/delivery.ts'

/** A text in both languages; values inside it are those of the records. */
export type Words = { en: string; he: string }
/** `valueHe`: the value in Hebrew, where it is a word and not data. */
export type Line = { label: Words; value: string; valueHe?: string }
export type Input = Record<string, unknown>

/** What a person is shown before they say yes to a call. */
export type Preview = {
  tool: string
  input: Input
  /** What will happen, in one sentence. */
  title: Words
  /** Recipient, amount, account, period …, as they will be. */
  lines: Line[]
  /** The mail as it will be sent, if one is. */
  mail?: MailPreview
  warnings: string[]
  /** What is said when it was done; the title unless given. */
  done?: Words
  /**
   * Hash over everything that the person decides on: the call and the records concerned as they are now. A different one
   * when the person says yes means that a record has changed.
   */
  fingerprint: string
}

export type PreviewContext = {
  /** The organization of the session. */
  organizationId: string
  /** Executes a reading operation with the rights of the person; throws a Failure if it is refused. */
  call(tool: string, input: Input): Promise<unknown>
}

/** What an exact preview of one operation says. */
export type Told = { title: Words; lines: Line[]; mail?: MailPreview; warnings?: string[]; done?: Words }
