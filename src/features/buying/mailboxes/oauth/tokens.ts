import { Secret } from '../../../../core/secrets/secret.ts'

/** The tokens of a connected mailbox, as they are sealed in one column. */
export type StoredTokens = { access: Secret; refresh: Secret }

export const toStored = ({ access, refresh }: StoredTokens): Secret =>
  new Secret(JSON.stringify({ access: access.reveal(), refresh: refresh.reveal() }))

export function fromStored(stored: Secret): StoredTokens {
  const { access, refresh } = JSON.parse(stored.reveal()) as { access: string; refresh: string }
  return { access: new Secret(access), refresh: new Secret(refresh) }
}
