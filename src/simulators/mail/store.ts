/** A message that a simulated mail server serves. */
export type StoredMessage = {
  uid: number
  receivedAt: Date
  /** In bytes. */
  size: number
  /** The message as it was received (RFC 5322, lines end with CR and LF). */
  source: () => Buffer | Promise<Buffer>
  /** Such as `\Seen`. Clients change them. */
  flags: Set<string>
}

export type MailFolder = {
  /** As people read it; `/` separates levels. */
  name: string
  /** Changes when the UIDs no longer mean the same messages. */
  uidValidity: number
  /** In ascending order of UIDs. */
  messages: readonly StoredMessage[]
}

export type MailAccount = {
  /** Whether this is the password of the account. */
  acceptsPassword?: (password: string) => boolean | Promise<boolean>
  /** Whether this access token may read the account. */
  acceptsToken?: (accessToken: string) => boolean | Promise<boolean>
  /** Asked again with every command, so that new messages appear. One folder is INBOX. */
  folders: () => readonly MailFolder[] | Promise<readonly MailFolder[]>
}

/** The account of a user name; undefined if there is none. */
export type MailAccounts = (username: string) => MailAccount | undefined | Promise<MailAccount | undefined>

/** The folder of a name; INBOX is written in any capitals. */
export const folderOf = (folders: readonly MailFolder[], name: string): MailFolder | undefined =>
  folders.find((folder) => folder.name === name || (folder.name === 'INBOX' && name.toUpperCase() === 'INBOX'))

/** The account, if the password or the access token is accepted. */
export async function authorized(
  accounts: MailAccounts,
  { username, ...login }: { username: string } & ({ password: string } | { accessToken: string }),
): Promise<MailAccount | undefined> {
  const account = await accounts(username)
  const isAccepted =
    'password' in login
      ? await account?.acceptsPassword?.(login.password)
      : await account?.acceptsToken?.(login.accessToken)
  return isAccepted ? account : undefined
}

/** Reads the message of SASL PLAIN; undefined if it is not one. */
export function readPlain(base64: string): { username: string; password: string } | undefined {
  const [, username, password, ...more] = Buffer.from(base64, 'base64').toString().split('\0')
  return username && password !== undefined && more.length === 0 ? { username, password } : undefined
}

/** Reads the message of SASL XOAUTH2; undefined if it is not one. */
export function readXOAuth2(base64: string): { username: string; accessToken: string } | undefined {
  const text = Buffer.from(base64, 'base64').toString()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XOAUTH2 separates its fields with this character
  const [, username, accessToken] = /^user=([^\u0001]*)\u0001auth=Bearer ([^\u0001]*)\u0001\u0001$/i.exec(text) ?? []
  return username && accessToken ? { username, accessToken } : undefined
}

/** What XOAUTH2 says of a token that is not accepted, before the refusal itself. */
export const tokenRefusal = Buffer.from(
  '{"status":"400","schemes":"Bearer","scope":"https://mail.google.com/"}',
).toString('base64')
