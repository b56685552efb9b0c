import type { AuthorityReason } from '../core/outside/tax-authority.ts'

/** What an organization enters to submit documents to the authority of its country, and what the answers mean. */
export type Integration = {
  integrationId: string
  name: string
  description: string
  /** Whether documents are reported, and are valid without; otherwise the authority gives each a number. */
  isReport: boolean
  /** Whether a person can sign in at the authority instead of entering a refresh token. */
  signsIn: boolean
  requiredFields: readonly RequiredField[]
  /** How values have to look, by the name of the field: what nobody can use is said when credentials are validated. */
  formats: Readonly<Record<string, Format>>
  /** Why a document was rejected. */
  rejection(reasons: readonly AuthorityReason[]): string
  /** What a person can do instead after a failure, as a sentence; empty if nothing. */
  otherwise: string
}

/** A value that an organization enters for an integration. */
export type RequiredField = {
  name: string
  label: string
  type: 'text' | 'secret'
  required: boolean
  help: string
}

export type Format = { fits(value: string): boolean; says: string }

export const text = (name: string, label: string, help: string, required = true): RequiredField => ({
  name,
  label,
  type: 'text',
  required,
  help,
})

export const secret = (name: string, label: string, help: string, required = true): RequiredField => ({
  ...text(name, label, help, required),
  type: 'secret',
})
