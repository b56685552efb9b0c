import { expect, test } from 'vitest'
import { addDays } from '../../../../core/values/day.ts'
import { doJob } from '../../../../test/job.ts'
import { differingSums, storedSums } from '../../../../test/journal-sums.ts'
import { approvedPayslip } from '../../../../test/payroll/rows.ts'
import { findJobs } from '../../../../test/queue.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { within } from '../../../../test/secrets.ts'
import { member, type Someone } from '../../../../test/world.ts'
import { startSummingUp, sumUpJournal } from './sum-up-journal.ts'
import { storeSums } from './sums.ts'

const organizationOf = ({ organizationId }: Someone) => String(organizationId)
const flagsOf = (amy: Someone) => ({ flags: { [`organization:${organizationOf(amy)}`]: true as const } })
const sellOn = async (amy: Someone, days: number) => {
  const { customerId } = await sell(amy, { status: 'SENT', issueDate: '2026-01-01' })
  for (let day = 1; day < days; day++) {
    const issueDate = addDays('2026-01-01', day)
    await sell(amy, { status: 'SENT', issueDate, ...(customerId && { customerId }) })
  }
}
const jobsFor = async (amy: Someone) =>
  (await findJobs("job = 'sum-up-journal' and payload::text like '%' || $1 || '%'", [organizationOf(amy)])).length

test('the job stores what a report would, payroll included', async () => {
  const amy = await member('OWNER')
  await sell(amy, { status: 'SENT', issueDate: '2026-01-05' })
  await approvedPayslip(amy)
  expect(await storedSums(organizationOf(amy))).toMatchObject({ sums: 0 })
  await doJob(sumUpJournal, { organizationId: organizationOf(amy) }, flagsOf(amy))
  const { sums, marked } = await storedSums(organizationOf(amy))
  expect({ sums, marked }).toEqual({ sums: 5, marked: 0 }) // three of the sale, two of the payslip
  expect(await differingSums(organizationOf(amy))).toEqual([])
  await doJob(sumUpJournal, { organizationId: organizationOf(amy) }, flagsOf(amy))
  expect(await storedSums(organizationOf(amy))).toEqual({ sums, marked })
})

test('an organization in which many days were changed is summed up ahead, others by their reports', async () => {
  const [amy, eve] = [await member('OWNER'), await member('OWNER')]
  await sellOn(amy, 22)
  await sellOn(eve, 2)
  await doJob(startSummingUp)
  expect([await jobsFor(amy), await jobsFor(eve)]).toEqual([1, 0])
})

test('a report that cannot be prepared in time says how far it is, and the next try goes on', async () => {
  const amy = await member('OWNER')
  await sellOn(amy, 4)
  const percents: number[] = []
  for (let attempt = 0; attempt < 10; attempt++) {
    const failure = await within(organizationOf(amy), async (db) =>
      storeSums(db, { within: -1, events: 1 }).catch((error) => error),
    )
    if (failure === undefined) break
    expect(failure).toMatchObject({ status: 500, retryAfterS: 2, details: [{ code: 'PREPARING' }] })
    expect(failure.message).toContain('added up for the first time')
    percents.push(Number(failure.details[0].params.percent))
  }
  expect(percents.length).toBeGreaterThan(1)
  expect(percents).toEqual(percents.toSorted((one, other) => one - other))
  expect(percents.at(-1)).toBeGreaterThan(percents[0] ?? 100)
  await within(organizationOf(amy), (db) => storeSums(db))
  expect(await differingSums(organizationOf(amy))).toEqual([])
})
