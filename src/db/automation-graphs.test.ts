import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../core/values/id.ts'
import { dropDatabase, emptyDatabase, queryOn } from '../test/database.ts'
import { migrate, migrationFiles } from './migrate.ts'
import { resilientPool } from './pool.ts'

/** What 0024_automation_graphs.sql makes of automations that exist. */

const before = new Set(
  migrationFiles()
    .map(({ name }) => name)
    .filter((name) => name < '0024'),
)

test('THR-07: the migration takes author and credential of a graph from the audit log, or else its owner', async () => {
  const database = await emptyDatabase()
  onTestFinished(() => void dropDatabase(database))
  const pool = resilientPool({ ...database, max: 3 })
  await migrate(pool, () => {}, { only: before })
  const [organization, owner, editor, key] = [newId(), newId(), newId(), newId()]
  const ask = (text: string, values: unknown[] = []) => queryOn(database, text, values)
  for (const id of [owner, editor])
    await ask("insert into users (id, name, email) values ($1::uuid, 'x', $1::text || '@x.test')", [id])
  await ask(
    `with o as (insert into organizations (id, name, country, currency, timezone) values ($1, 'Acme', 'SG', 'SGD', 'Asia/Singapore'))
     insert into memberships (organization_id, user_id, role) values ($1, $2, 'OWNER'), ($1, $3, 'MANAGER')`,
    [organization, owner, editor],
  )
  await ask(
    `insert into api_keys (id, user_id, name, prefix, secret_hash, scopes, all_orgs)
     values ($1, $2, 'k', 'k', sha256('k'), '{automations:write}', true)`,
    [key, editor],
  )
  const automation = async (
    ...saved: { operation: string; by: string; key?: string; client?: string; fields?: string[] }[]
  ) => {
    const id = newId()
    await ask(
      `insert into automations (organization_id, id, owner_user_id, name, blocks, edges)
       values ($1, $2, $3, 'x', '[{"kind": "TRIGGER", "id": "t"}]', '[]')`,
      [organization, id, owner],
    )
    await ask(
      `insert into automation_runs (organization_id, id, automation_id, input, depth) values ($1, gen_random_uuid(), $2, '{}', 0)`,
      [organization, id],
    )
    for (const [n, { operation, by, key = null, client = null, fields }] of saved.entries())
      await ask(
        `insert into audit_log (id, organization_id, user_id, source, request_id, operation, object_id, api_key_id, client_id, detail, created_at)
         values (gen_random_uuid(), $1, $2, 'SESSION', 'r', $3, $4, $5, $6, $7, now() - interval '1 day' + make_interval(secs => $8))`,
        [organization, by, operation, id, key, client, fields ? { fields } : null, n],
      )
    return id
  }
  const [update, blocks] = ['automations_update', ['blocks', 'edges']]
  const made = { operation: 'automations_create', by: owner }
  const ids = {
    unknown: await automation(),
    session: await automation(made, { operation: update, by: editor, fields: ['name'] }),
    editor: await automation(made, { operation: update, by: editor, fields: blocks }),
    key: await automation(made, { operation: update, by: editor, key, fields: blocks }),
    app: await automation(made, { operation: update, by: owner, client: 'gone', fields: blocks }),
  }
  await migrate(pool, () => {})
  await pool.end()
  const rows = await ask(
    `select g.automation_id, g.author_user_id as author, g.scopes, g.api_key_id as key, g.client_id as client, g.credential_status as status,
       r.graph_id = g.id as pinned, a.blocks = g.blocks as same, x.problem
     from automations a join automation_graphs g on g.id = a.graph_id join automation_runs r on r.automation_id = a.id,
       rights_of_graph(g.organization_id, g.id) x`,
  )
  const found = Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [
      name,
      rows.find((row: { automation_id: string }) => row.automation_id === id),
    ]),
  )
  const plain = { scopes: null, key: null, client: null, status: null, pinned: true, same: true, problem: null }
  expect(found).toMatchObject({
    unknown: { ...plain, author: owner },
    session: { ...plain, author: owner },
    editor: { ...plain, author: editor },
    key: { ...plain, author: editor, key, scopes: ['automations:write'], status: 'ACTIVE' },
    app: { ...plain, author: owner, client: 'gone', scopes: [], status: 'ACTIVE', problem: 'CREDENTIAL' },
  })
})
