import type { Role } from '../../../../core/define/access.ts'
import type { Detail } from '../../../../core/define/failure.ts'
import type { Operation } from '../../../../core/define/operation.ts'
import type { CountryCode } from '../../../../countries/country.ts'
import type { Attachment } from '../sessions/session.ts'

/** What an assistant does next: it says something, which is streamed, or it calls a tool. */
export type Move = { say: string } | { call: string; input: Record<string, unknown> }

/** What a call led to. WAITS: it has an effect, and waits for the person's word; the turn ends by asking. */
export type ToolResult =
  | { ok: true; output: unknown }
  | { ok: false; code: string; message: string; details?: readonly Detail[] }

export type TurnInput = {
  text: string
  attachments: readonly Attachment[]
  /** Today in the zone of the organization. */
  today: string
  organization: { id: string; name: string; country: CountryCode; currency: string; timezone: string }
  person: { name: string }
  role: Role
  /** The messages before, the oldest first. */
  history: readonly { role: 'user' | 'assistant'; text: string }[]
  /** What the assistant remembered at the end of the turn before. */
  memory: unknown
  remember(memory: unknown): void
  /** Aborted when the turn is cancelled or out of time. */
  signal: AbortSignal
  /** The tools that the person may use with the credential of this turn. */
  tools: readonly Operation[]
  /** How much of the language model the organization has used today. */
  usage: {
    today(): Promise<{ tokens: number; costMicros: number }>
    add(used: { inputTokens: number; outputTokens: number; costMicros: number }): Promise<void>
  }
}

/** Answers a message: yields what it does, and is given the result of each call. */
export type Assistant = (turn: TurnInput) => AsyncGenerator<Move, void, ToolResult | undefined>

/** A reason to end a turn that the person is told, such as a limit. */
export class TurnFailure extends Error {}
