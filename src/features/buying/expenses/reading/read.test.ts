import '../../../../test/own-world.ts'
import { expect, test } from 'vitest'
import { spend } from '../../../../test/expenses.ts'
import { member, theApp } from '../../../../test/world.ts'
import { expenseById, expenseWithHome } from './read.ts'

test('reading one expense looks up no exchange rate; events and the approval rule do', async () => {
  const amy = await member('OWNER')
  const { id } = await spend(amy, { currency: 'USD', exchangeRate: 1.3 })
  const found = await theApp().system.use(async (db, connection) => {
    await connection.query('begin')
    await connection.query(`create or replace function rate_on(from_currency text, to_currency text, day date, country text)
      returns table (from_rate numeric, to_rate numeric, rate_date date, source text, base text) language plpgsql stable as $$
      begin raise exception 'A rate was looked up.'; end $$`)
    const row = await expenseById(db, id).executeTakeFirst()
    const withHome = expenseWithHome(db, id).executeTakeFirst()
    await expect(withHome).rejects.toThrow('A rate was looked up.')
    await connection.query('rollback')
    return row
  })
  expect(found).toMatchObject({ id, currency: 'USD' })
})
