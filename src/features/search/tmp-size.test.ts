import { test } from 'vitest'
import { queryAsSuperuser } from '../../test/database.ts'
import { openStream } from '../../test/event-stream.ts'
import { member, theApp, theDatabase, testConfig } from '../../test/world.ts'
import { createApp } from '../../program/app.ts'

const q = (text: string, values: unknown[] = []) => queryAsSuperuser(theDatabase(), text, values)

test('size', { timeout: 400_000 }, async () => {
  const amy = await member('OWNER')
  const organizationId = String(amy.organizationId)
  const { id: c } = await amy.call('customers_create', { organizationId, name: 'Globex', country: 'SG' })
  await q(`do $$ begin set local session_replication_role = replica;
    insert into customers (organization_id, id, name, kind, default_currencies, country) select '${organizationId}', gen_random_uuid(), 'Customer ' || md5(n::text), 'ORGANIZATION', '{SGD}', 'SG' from generate_series(1, 10000) n;
    insert into documents (organization_id, id, document_type, status, series, sequence, number, counterparty_id, counterparty_name, currency, minor_digits, issue_date, subtotal_minor, tax_minor, total_minor, notes, generator_version, issued_at)
     select '${organizationId}', gen_random_uuid(), 'INVOICE', 'SENT', 'INVOICE', n, 'INV-' || lpad(n::text, 6, '0'), '${c}', case when n % 20 = 0 then 'Globex' else 'Customer ' || md5((n%10000)::text) end, 'SGD', 2, '2026-01-01'::date + n / 900, 100, 0, 100, 'Order ' || md5((n*7)::text), '1', now()
     from generate_series(1, 100000) n;
    insert into document_numbering (organization_id, document_type, next_number) values ('${organizationId}', 'INVOICE', 100001) on conflict do nothing;
    insert into payments (organization_id, id, counterparty_id, amount_minor, currency, minor_digits, paid_at, source, reference) select '${organizationId}', gen_random_uuid(), '${c}', 100, 'SGD', 2, '2026-01-01', 'MANUAL', 'REF' || md5(n::text) from generate_series(1, 50000) n;
    insert into audit_log (id, organization_id, user_id, source, request_id, operation, created_at) select gen_random_uuid(), '${organizationId}', '${amy.userId}', 'SESSION', 'r', 'customers_create', now() - n * interval '10 seconds' from generate_series(1, 100000) n;
    end $$`)
  await q('analyze')
  for (const query of ['Globex', '4711', 'INV-004711', 'Customer', 'globez', 'c4ca4', 'REFc4ca', '12', 'ab']) {
    const times: number[] = []
    let count = 0
    for (let i = 0; i < 4; i++) {
      const at = performance.now()
      count = (await amy.call('search_everything', { organizationId, query })).hits.length
      times.push(Math.round(performance.now() - at))
    }
    console.log('SEARCH', query, count, times.join(' '))
  }
  const { lastEventId } = await amy.call('changes_stream', { organizationId })
  const reads: number[] = []
  for (let i = 0; i < 5; i++) {
    const at = performance.now()
    await amy.call('changes_stream', { organizationId, lastEventId })
    reads.push(Math.round((performance.now() - at) * 10) / 10)
  }
  console.log('CHANGES', reads.join(' '))
  const explained = async (text: string) => {
    const client = await theApp().system.raw.connect()
    await client.query('begin')
    await client.query("select set_config('app.organization', $1, true)", [organizationId])
    await client.query('set local role kontor_confined')
    const { rows } = await client.query(`explain (analyze, buffers, timing off) ${text}`)
    await client.query('rollback')
    client.release()
    console.log(text.slice(0, 70), '\n', rows.map((row) => Object.values(row)[0]).join('\n '))
  }
  await explained(`select d.id from documents d where d.organization_id = current_organization() and d.kind = 'SALES' and d.sequence = 4711
          and coalesce(nullif(d.series, ''), d.document_type) = any (array(select n.document_type from document_numbering n)) limit 200`)
  await explained(`select d.id from search_documents('globex', '%globex%', 200) d`)
  await explained(`select x.id from search_payments('REFc4ca', '%REFc4ca%', 200) x (id)`)
  await explained(`select * from unnest(array['${c}']::uuid[]) c (id) cross join lateral (select d.id from documents d where d.organization_id = current_organization() and d.counterparty_id = c.id and d.kind = 'SALES' order by d.issue_date desc, d.id desc limit 5) d`)
  await explained(`select a.id from audit_log a where a.organization_id = current_organization() and a.created_at >= now() - interval '2 minutes' and a.xmin::text::bigint >= 5 order by a.created_at, a.id limit 501`)

  const app = await createApp(testConfig(), theDatabase())
  const url = await app.server.listen({ port: 0, host: '127.0.0.1' })
  const people = await Promise.all(Array.from({ length: 10 }, () => member('VIEWER', { of: amy })))
  const streams = await Promise.all(people.flatMap((who) => Array.from({ length: 10 }, () => openStream(`${url}/api/changes?organizationId=${organizationId}`, who.credentials as { cookie: string }))))
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const stat = async () => Number((await q(`select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()`) as { n: string }[])[0]?.n)
  const [before, cpu] = [await stat(), process.cpuUsage()]
  await new Promise((resolve) => setTimeout(resolve, 10_000))
  const idle = process.cpuUsage(cpu)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  console.log('IDLE transactions in 10 s', (await stat()) - before, 'cpu ms', (idle.user + idle.system) / 1000)
  const at = performance.now()
  const { id } = await amy.call('customers_create', { organizationId, name: 'New', country: 'SG' })
  const made = performance.now() - at
  const has = () => streams.filter(({ events }) => events.some(({ data }) => data.id === id)).length
  let first = 0
  while (has() < 100 && performance.now() - at < 20_000) { if (!first && has() > 0) first = performance.now() - at; await new Promise((resolve) => setTimeout(resolve, 5)) }
  console.log('FANOUT create', Math.round(made), 'first', Math.round(first), 'all 100', Math.round(performance.now() - at), has())
  const b2 = await stat(); const cpu2 = process.cpuUsage(); const t2 = performance.now()
  for (let i = 0; i < 100; i++) { await amy.call('customers_create', { organizationId, name: 'New', country: 'SG' }); await new Promise((resolve) => setTimeout(resolve, 50)) }
  const used = process.cpuUsage(cpu2)
  console.log('BUSY 100 writes in', Math.round(performance.now() - t2), 'ms; cpu', (used.user + used.system) / 1000)
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  console.log('transactions', (await stat()) - b2)
  await Promise.all(streams.map((stream) => stream.close()))
  await app.close()
})
