import type { Inside } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import type { SecretPlace } from '../../../core/secrets/sealed.ts'
import type { Secret } from '../../../core/secrets/secret.ts'

type Owner = { id: string; organizationId: string }
type Vault = Pick<Inside, 'db' | 'secrets'>

const placeOf = (column: 'password' | 'tokens', { id, organizationId }: Owner): SecretPlace => ({
  table: 'mail_connections',
  column,
  rowId: id,
  organizationId,
})

/** The value of the column; store it in the same transaction. */
export const sealPassword = ({ db, secrets }: Vault, owner: Owner, password: Secret): Promise<Buffer> =>
  secrets.vault.close(db, placeOf('password', owner), password)

export const sealTokens = ({ db, secrets }: Vault, owner: Owner, tokens: Secret): Promise<Buffer> =>
  secrets.vault.close(db, placeOf('tokens', owner), tokens)

/** The stored password; undefined if there is none. */
export const openPassword = (vault: Vault, owner: Owner): Promise<Secret | undefined> => open(vault, 'password', owner)

/** The stored tokens of the provider's sign-in; undefined if there are none. */
export const openTokens = (vault: Vault, owner: Owner): Promise<Secret | undefined> => open(vault, 'tokens', owner)

async function open({ db, secrets }: Vault, column: 'password' | 'tokens', owner: Owner) {
  const row = await one(
    db.selectFrom('mailConnections').select(column).where('id', '=', owner.id).where('deletedAt', 'is', null),
    'mail connection',
  )
  const sealed = row[column]
  return sealed ? secrets.vault.open(db, placeOf(column, owner), sealed) : undefined
}
