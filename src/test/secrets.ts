import { randomBytes } from 'node:crypto'
import type { Database } from '../core/define/operation.ts'
import { withTransaction } from '../core/run/transaction-context.ts'
import type { SecretPlace } from '../core/secrets/sealed.ts'
import { Secret } from '../core/secrets/secret.ts'
import type { Connection } from '../db/wire/connection.ts'
import { theApp } from './world.ts'

/** Creates a table with secrets: a password that requests may read and a token that only the worker may. */
export const makeMailboxes = () =>
  asProduct(`create table mailboxes (
      organization_id uuid not null default current_organization() references organizations on delete cascade,
      id uuid not null, host text, password bytea, token bytea, primary key (organization_id, id));
    select organization_table('mailboxes');
    select secret_column('mailboxes', 'password', worker_only => false);
    select secret_column('mailboxes', 'token')`)

/** Runs statements on a system connection and returns the rows of the last one. */
export async function asProduct(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const answered = await theApp().system.raw.query(text, values)
  return [answered].flat().at(-1)?.rows ?? []
}

/** Work as a request would do it: in a transaction, in the role of requests, in one organization. */
export const within = <T>(
  organizationId: string | undefined,
  work: (db: Database, connection: Connection) => Promise<T>,
): Promise<T> => withTransaction(theApp().confined, { organizationId }, ({ db, connection }) => work(db, connection))

/** Stores a password as an operation does. */
export async function storePassword(place: SecretPlace, text: string): Promise<Buffer> {
  return within(place.organizationId, async (db, connection) => {
    const sealed = await theApp().services.secrets.vault.close(db, place, new Secret(text))
    const upsert = `insert into mailboxes (id, ${place.column}) values ($1, $2)
      on conflict (organization_id, id) do update set ${place.column} = $2`
    await connection.query(upsert, [place.rowId, sealed])
    return sealed
  })
}

/** Reads a password as an operation does. */
export const readPassword = (place: SecretPlace): Promise<string> =>
  within(place.organizationId, async (db, connection) => {
    const { rows } = await connection.query('select password from mailboxes where id = $1', [place.rowId])
    return (await theApp().services.secrets.vault.open(db, place, rows[0]?.password as Buffer)).reveal()
  })

export const randomKey = () => randomBytes(32).toString('base64')
