import { expect, onTestFinished, test } from 'vitest'
import { Connection } from '../../../db/wire/connection.ts'
import { payrollOf } from '../../../test/payroll/company.ts'

/** The statements that a call sends to tables of payroll and documents, and all that it sends. */
async function sentBy(call: () => Promise<unknown>): Promise<string[]> {
  const { query } = Connection.prototype
  const sent: string[] = []
  const restore = () => {
    Connection.prototype.query = query
  }
  onTestFinished(restore)
  Connection.prototype.query = function (this: Connection, text, values) {
    sent.push(text)
    return query.call(this, text, values)
  }
  await call()
  restore()
  return sent.filter((text) =>
    /payslips|payslip_lines|documents|document_lines|document_events|employees|payments/.test(text),
  )
}

test('generating and summing up a month take as many statements for thirty employees as for two', async () => {
  const [few, many] = [await payrollOf('SG'), await payrollOf('SG')]
  for (const [company, people] of [
    [few, 2],
    [many, 30],
  ] as const)
    for (let n = 0; n < people; n++) await company.hire({ name: `Person ${n}` })
  const generated = await sentBy(() => many.generate('2026-03'))
  expect(generated).toHaveLength((await sentBy(() => few.generate('2026-03'))).length)
  expect(generated).toHaveLength(8) // the employees, drafts and payslips that changed, documents, their lines, payslips, their lines, and the history
  const summed = await sentBy(() => many.summary('2026-03'))
  expect(summed).toHaveLength((await sentBy(() => few.summary('2026-03'))).length)
  expect(summed).toHaveLength(7) // people, payslips, what is owed, what is paid, open credits, leave, and claims
})
