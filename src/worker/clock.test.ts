import '../test/own-world.ts'
import { Temporal } from 'temporal-polyfill'
import { beforeEach, describe, expect, test } from 'vitest'
import { scheduleEvents } from '../core/define/schedule.ts'
import type { Subscriber } from '../core/define/subscriber.ts'
import { problemsOf } from '../core/define/validate.ts'
import { newId } from '../core/values/id.ts'
import { doJob } from '../test/job.ts'
import { findJobs, removeJobs } from '../test/queue.ts'
import { member, type Someone, theApp } from '../test/world.ts'
import { fireDue, tickClock } from './clock.ts'

const ask = <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  theApp().system.use(async (_, connection) => (await connection.query(text, values)).rows as T[])

type Period = { period: string; localDate: string; startsAt: string }
async function periodOf(type: string, zone: string, moment: string): Promise<Period> {
  const [row] = await ask<Period>('select * from schedule_period($1, $2, $3)', [`schedule.${type}`, zone, moment])
  if (!row) throw new Error('There is always a period.')
  return { ...row, startsAt: new Date(row.startsAt).toISOString().replace('.000Z', 'Z') }
}

describe('the period of a moment', () => {
  test.each([
    // type, zone, moment, period, local day, due since
    ['daily', 'Asia/Singapore', '2026-03-02T00:00:00Z', '2026-03-02', '2026-03-02', '2026-03-02T00:00:00Z'],
    ['daily', 'Asia/Singapore', '2026-03-01T23:59:59Z', '2026-03-01', '2026-03-01', '2026-03-01T00:00:00Z'],
    ['daily', 'Asia/Kathmandu', '2026-03-02T02:15:00Z', '2026-03-02', '2026-03-02', '2026-03-02T02:15:00Z'],
    // New York: clocks go forward on 8 March 2026 and back on 1 November; 08:00 comes 23 and 25 hours after the last.
    ['daily', 'America/New_York', '2026-03-08T11:59:59Z', '2026-03-07', '2026-03-07', '2026-03-07T13:00:00Z'],
    ['daily', 'America/New_York', '2026-03-08T12:00:00Z', '2026-03-08', '2026-03-08', '2026-03-08T12:00:00Z'],
    ['daily', 'America/New_York', '2026-11-01T12:30:00Z', '2026-10-31', '2026-10-31', '2026-10-31T12:00:00Z'],
    ['daily', 'America/New_York', '2026-11-01T13:00:00Z', '2026-11-01', '2026-11-01', '2026-11-01T13:00:00Z'],
    ['daily', 'Asia/Jerusalem', '2026-03-27T05:00:00Z', '2026-03-27', '2026-03-27', '2026-03-27T05:00:00Z'],
    ['daily', 'Asia/Jerusalem', '2026-10-25T06:00:00Z', '2026-10-25', '2026-10-25', '2026-10-25T06:00:00Z'],
    // Samoa left 30 December 2011 out.
    ['daily', 'Pacific/Apia', '2011-12-30T17:59:59Z', '2011-12-29', '2011-12-29', '2011-12-29T18:00:00Z'],
    ['daily', 'Pacific/Apia', '2011-12-30T18:00:00Z', '2011-12-31', '2011-12-31', '2011-12-30T18:00:00Z'],
    ['daily', 'Pacific/Kiritimati', '2026-03-01T18:00:00Z', '2026-03-02', '2026-03-02', '2026-03-01T18:00:00Z'],
    ['daily', 'Mars/Olympus', '2026-03-02T09:00:00Z', '2026-03-02', '2026-03-02', '2026-03-02T08:00:00Z'],
    ['weekly', 'Asia/Jerusalem', '2026-03-02T05:59:59Z', '2026-W09', '2026-02-23', '2026-02-23T06:00:00Z'],
    ['weekly', 'Asia/Jerusalem', '2026-03-02T06:00:00Z', '2026-W10', '2026-03-02', '2026-03-02T06:00:00Z'],
    ['weekly', 'Asia/Singapore', '2026-03-08T15:59:59Z', '2026-W10', '2026-03-02', '2026-03-02T00:00:00Z'],
    ['weekly', 'UTC', '2027-01-03T12:00:00Z', '2026-W53', '2026-12-28', '2026-12-28T08:00:00Z'],
    ['monthly', 'Asia/Singapore', '2026-05-31T23:59:59Z', '2026-05', '2026-05-01', '2026-05-01T00:00:00Z'],
    ['monthly', 'Asia/Singapore', '2026-06-01T00:00:00Z', '2026-06', '2026-06-01', '2026-06-01T00:00:00Z'],
    ['monthly', 'America/New_York', '2026-03-31T23:00:00Z', '2026-03', '2026-03-01', '2026-03-01T13:00:00Z'],
    ['monthly', 'America/New_York', '2026-03-01T12:59:59Z', '2026-02', '2026-02-01', '2026-02-01T13:00:00Z'],
    ['monthly', 'UTC', '2028-02-29T12:00:00Z', '2028-02', '2028-02-01', '2028-02-01T08:00:00Z'],
    ['hourly', 'Asia/Kathmandu', '2026-03-02T02:20:00Z', '2026-03-02T08+05:45', '2026-03-02', '2026-03-02T02:15:00Z'],
    ['hourly', 'America/St_Johns', '2026-01-15T02:40:00Z', '2026-01-14T23-03:30', '2026-01-14', '2026-01-15T02:30:00Z'],
    // 02:00 to 03:00 is left out in spring, 01:00 to 02:00 comes twice in autumn.
    ['hourly', 'America/New_York', '2026-03-08T06:59:00Z', '2026-03-08T01-05:00', '2026-03-08', '2026-03-08T06:00:00Z'],
    ['hourly', 'America/New_York', '2026-03-08T07:30:00Z', '2026-03-08T03-04:00', '2026-03-08', '2026-03-08T07:00:00Z'],
    ['hourly', 'America/New_York', '2026-11-01T05:30:00Z', '2026-11-01T01-04:00', '2026-11-01', '2026-11-01T05:00:00Z'],
    ['hourly', 'America/New_York', '2026-11-01T06:30:00Z', '2026-11-01T01-05:00', '2026-11-01', '2026-11-01T06:00:00Z'],
  ])('%s in %s at %s is %s', async (type, zone, moment, period, localDate, startsAt) => {
    expect(await periodOf(type, zone, moment)).toEqual({ period, localDate, startsAt })
  })

  const zones = ['Asia/Jerusalem', 'Asia/Singapore', 'America/New_York', 'America/Los_Angeles', 'Asia/Kathmandu',
    'Pacific/Apia', 'Pacific/Kiritimati', 'Australia/Lord_Howe', 'America/St_Johns', 'Europe/London', 'Pacific/Honolulu'] // biome-ignore format: a list of words

  test.each(zones)('matches another calendar library for the days of three years (%s)', async (zone) => {
    const rows = await ask<{ period: string; startsAt: string }>(
      `select distinct p.period, p.starts_at
       from generate_series(timestamptz '2023-12-31T00:00:00Z', '2027-01-01T00:00:00Z', interval '11 hours') m (moment),
         schedule_period('schedule.daily', $1, m.moment) p`,
      [zone],
    )
    expect(rows.length).toBeGreaterThan(1_090)
    const wrong = rows.filter(({ period, startsAt }) => {
      const eight = Temporal.PlainDate.from(period).toZonedDateTime({ timeZone: zone, plainTime: '08:00' })
      return eight.epochMilliseconds !== Date.parse(startsAt)
    })
    expect(wrong).toEqual([])
  })

  test.each(zones)('has no gap between hours when the clocks change (%s)', async (zone) => {
    const gaps = await ask(
      `select * from (select starts_at, starts_at - lag(starts_at) over (partition by season order by starts_at) as passed
         from (select distinct season, p.starts_at, p.period
           from unnest(array[timestamptz '2026-03-01', '2026-09-25']) season,
             generate_series(season, season + interval '42 days', interval '30 minutes') m (moment),
             schedule_period('schedule.hourly', $1, m.moment) p) hours) steps
       where passed <> interval '1 hour'`,
      [zone],
    )
    // Lord Howe moves its clocks by half an hour, so one hour in spring and one in autumn is a half one.
    expect(gaps).toHaveLength(zone === 'Australia/Lord_Howe' ? 2 : 0)
  })
})

describe('the clock', () => {
  let amy: Someone
  beforeEach(async () => {
    amy = await member('OWNER')
    await ask("update organizations set created_at = '2020-01-01', timezone = 'Asia/Singapore' where id = $1", [here()])
  })
  const here = () => amy.organizationId ?? ''

  /** Wants to know of this organization alone, since this moment. */
  const listener = (since = '2020-01-01T00:00:00Z', name = 'listener'): Subscriber => ({
    name,
    on: scheduleEvents.map(({ type }) => type),
    wants: `select id as organization_id, timestamptz '${since}' as since from organizations where id = '${here()}' and $1 like 'schedule.%'`,
    run: async () => {},
  })

  const tick = (now: string, { type = 'daily', subscribers = [listener()] } = {}) =>
    theApp().system.use((_, connection) => fireDue(connection, { type: `schedule.${type}`, subscribers, now }))

  const fired = async () =>
    (
      await ask<{ period: string }>(
        "select payload ->> 'period' as period from events where organization_id = $1 and type like 'schedule.%' order by payload ->> 'firedAt'",
        [here()],
      )
    ).map(({ period }) => period)

  const inZone = (zone: string) => ask('update organizations set timezone = $2 where id = $1', [here(), zone])

  test('INV-12: a period is fired once, after it has begun, however often the job runs', async () => {
    expect(await tick('2026-03-02T00:00:00Z')).toEqual({ due: 1, fired: 1 })
    expect(await tick('2026-03-02T00:00:00Z')).toEqual({ due: 0, fired: 0 })
    expect(await tick('2026-03-02T23:59:59Z')).toEqual({ due: 0, fired: 0 })
    expect(await tick('2026-03-03T00:00:30Z')).toEqual({ due: 1, fired: 1 })
    expect(await fired()).toEqual(['2026-03-02', '2026-03-03'])
  })

  test('a schedule event matches its schema, has a cause and reaches every subscriber that wants it', async () => {
    await removeJobs()
    await tick('2026-03-02T06:30:00Z', { subscribers: [listener(), listener('2020-01-01T00:00:00Z', 'another')] })
    const [event] = await ask<{ id: string; payload: object; cause: object }>(
      'select * from events where organization_id = $1 and type = $2',
      [here(), 'schedule.daily'],
    )
    expect(event?.payload).toEqual({
      id: event?.id,
      organizationId: here(),
      firedAt: '2026-03-02T06:30:00.000Z',
      localDate: '2026-03-02',
      period: '2026-03-02',
      timezone: 'Asia/Singapore',
    })
    for (const { payload } of scheduleEvents) expect(problemsOf(payload, { ...event?.payload })).toEqual([])
    expect(event?.cause).toEqual({
      source: 'CLOCK',
      requestId: 'clock:schedule.daily:2026-03-02',
      userId: null,
      keyId: null,
      depth: 0,
    })
    const jobs = (await findJobs()).map(({ job, payload, flags }) => ({ job, payload, flags }))
    const flags = { [`organization:${here()}`]: true }
    const expected = ['tell:another', 'tell:listener'].map((job) => ({ job, payload: { eventId: event?.id }, flags }))
    expect(jobs.sort((one, other) => one.job.localeCompare(other.job))).toEqual(expected)
  })

  test('INV-12: of several missed periods only the latest is fired, late', async () => {
    await tick('2026-03-02T00:00:00Z')
    await tick('2026-03-09T15:00:00Z')
    expect(await fired()).toEqual(['2026-03-02', '2026-03-09'])
  })

  test('a new subscriber gets the next period, not the current one', async () => {
    const late = { subscribers: [listener('2026-03-02T07:00:00Z')] }
    expect(await tick('2026-03-02T07:00:01Z', late)).toEqual({ due: 0, fired: 0 })
    expect(await tick('2026-03-03T00:00:00Z', late)).toEqual({ due: 1, fired: 1 })
  })

  test('each of two subscribers gets the periods that began after it subscribed', async () => {
    await removeJobs()
    const late = { subscribers: [listener(), listener('2026-03-02T07:00:00Z', 'late')] }
    await tick('2026-03-02T08:00:00Z', late)
    expect((await findJobs()).map(({ job }) => job)).toEqual(['tell:listener'])
  })

  test('nothing is written for an organization without a subscriber', async () => {
    const eve = await member('OWNER')
    await tick('2026-03-02T00:00:00Z')
    expect(
      await ask('select from events where organization_id = $1 and type like $2', [eve.organizationId, 'schedule.%']),
    ).toEqual([])
    expect(await tick('2026-03-02T00:00:00Z', { subscribers: [] })).toEqual({ due: 0, fired: 0 })
  })

  test('INV-12: eight workers at the same time fire a period once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => tick('2026-03-02T00:00:00Z')))
    expect(all.reduce((sum, each) => sum + each.fired, 0)).toBe(1)
    expect(await fired()).toEqual(['2026-03-02'])
  })

  test('INV-12 FLT-07: a clock that jumps back and forth by ten minutes fires nothing twice', async () => {
    for (const now of ['00:05', '23:55', '00:05', '00:15', '00:05'])
      await tick(`2026-03-0${now > '12' ? 1 : 2}T${now}:00Z`)
    expect(await fired()).toEqual(['2026-03-02'])
  })

  test.each([
    ['America/New_York', '2026-03-07', '2026-03-09'],
    ['America/New_York', '2026-10-31', '2026-11-02'],
    ['Asia/Jerusalem', '2026-03-26', '2026-03-28'],
    ['Asia/Jerusalem', '2026-10-24', '2026-10-26'],
    ['Pacific/Apia', '2026-04-04', '2026-04-06'],
  ])('INV-12: around a change of clocks each day is fired once (%s, %s)', async (zone, from, to) => {
    await inZone(zone)
    const at = (day: string) => Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: '01:00' })
    const wanted = { subscribers: [listener(at(from).toInstant().toString())] }
    const end = at(to).add({ hours: 20 }).epochMilliseconds
    for (let ms = at(from).epochMilliseconds; ms < end; ms += 30 * 60_000)
      await tick(new Date(ms).toISOString(), wanted)
    expect(await fired()).toEqual([from, Temporal.PlainDate.from(from).add({ days: 1 }).toString(), to])
  })

  test('INV-12: a year fires all its days, weeks and months', async () => {
    await inZone('Asia/Jerusalem')
    const cadences = ['daily', 'weekly', 'monthly']
    const since = '2026-01-01T00:00:00Z'
    const wanted = { subscribers: [listener(since)] }
    for (let at = Date.parse(since); at < Date.parse('2027-01-01T00:00:00Z'); at += 24 * 3_600_000)
      await Promise.all(cadences.map((type) => tick(new Date(at).toISOString(), { type, ...wanted })))
    const counts = await ask(
      'select type, count(*)::int as times from events where organization_id = $1 and type like $2 group by 1 order by 1',
      [here(), 'schedule.%'],
    )
    expect(counts).toEqual([
      { type: 'schedule.daily', times: 364 }, // 2026-01-01 until 2026-12-31 at 02:00 local time
      { type: 'schedule.monthly', times: 12 },
      { type: 'schedule.weekly', times: 52 },
    ])
  })

  test('INV-12: no day is fired twice for an organization that changes its time zone', async () => {
    await tick('2026-03-02T00:00:00Z') // 08:00 in Singapore
    await inZone('America/New_York')
    for (const now of ['2026-03-02T05:00:00Z', '2026-03-02T13:00:00Z', '2026-03-03T12:59:00Z']) await tick(now)
    expect(await fired()).toEqual(['2026-03-02'])
    await tick('2026-03-03T13:00:00Z')
    await inZone('Asia/Singapore')
    await tick('2026-03-03T13:05:00Z')
    await tick('2026-03-04T00:00:00Z')
    expect(await fired()).toEqual(['2026-03-02', '2026-03-03', '2026-03-04'])
  })

  test('INV-12: hours continue without repetition for an organization that changes its time zone', async () => {
    const hourly = { type: 'hourly' }
    await tick('2026-03-02T12:10:00Z', hourly)
    await inZone('America/New_York')
    for (const at of ['12:20', '12:59', '13:00', '13:30', '14:01']) await tick(`2026-03-02T${at}:00Z`, hourly)
    expect(await fired()).toEqual(['2026-03-02T20+08:00', '2026-03-02T08-05:00', '2026-03-02T09-05:00'])
  })

  test('the job fires the due events of all organizations, in batches', async () => {
    // Of a country without a chart of accounts: 1,200 charts would take longer than a statement may on a busy machine.
    await ask(
      `with made as (insert into organizations (id, name, country, currency, timezone, created_at)
         select gen_random_uuid(), 'Many', 'FR', 'EUR', 'Asia/Singapore', '2020-01-01' from generate_series(1, 1200) returning id)
       insert into memberships (organization_id, user_id, role) select id, $1, 'OWNER' from made`,
      [amy.userId],
    )
    const many: Subscriber = {
      name: 'many',
      on: ['schedule.monthly'],
      wants: "select id as organization_id, created_at as since from organizations where name = 'Many'",
      run: async () => {},
    }
    const logError = (error: unknown) => expect(error).toBeNull()
    const run = () => doJob(tickClock([many]), { _cron: {} }, { logError })
    const count = async () =>
      (
        await ask(
          "select count(*)::int as times from events where type = 'schedule.monthly' and organization_id in (select id from organizations where name = 'Many')",
        )
      )[0]?.times
    await run()
    expect(await count()).toBe(1_200)
    await Promise.all([run(), run()])
    expect(await count()).toBe(1_200)
  })

  test('a request can neither fire a schedule nor read the marks of fired ones', async () => {
    const confined = (text: string, values: unknown[]) =>
      theApp().confined.use((_, connection) => connection.query(text, values))
    const values = [here(), 'schedule.daily', 'UTC', 'x', '2026-03-02', '2026-03-02', [], '2026-03-03']
    await expect(confined('select fire_schedule($1, $2, $3, $4, $5, $6, $7, $8)', values)).rejects.toThrow(
      /permission denied/,
    )
    await expect(confined('select from schedule_marks where organization_id = $1', [newId()])).rejects.toThrow(
      /permission denied/,
    )
  })
})
