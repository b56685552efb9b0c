import { beforeAll, describe, expect, test } from 'vitest'
import { friday, storeTestRates } from '../../../../test/exchange-rates.ts'
import { spend, spendApproved } from '../../../../test/expenses.ts'
import { member, type Someone } from '../../../../test/world.ts'

let amy: Someone

beforeAll(async () => {
  await storeTestRates()
  amy = await member('OWNER', { country: 'IL' })
})

const codes = ({ warnings }: { warnings?: { code: string }[] }) => (warnings ?? []).map(({ code }) => code)
const approve = (id: string) => amy.call('expenses_status', { id, status: 'APPROVED' })

describe('the exchange rate of an expense', () => {
  test('a given one is kept, shown and booked', async () => {
    const { id } = await spend(amy, { currency: 'USD', date: friday, exchangeRate: 3.5, exchangeRateDate: friday })
    const rate = { exchangeRate: 3.5, exchangeRateDate: friday }
    expect(await amy.call('expenses_get', { id })).toMatchObject(rate)
    expect(await amy.call('expenses_update_patch_2', { id, title: 'Lunch' })).toMatchObject(rate)
    const approved = await approve(id)
    expect(approved).toMatchObject(rate)
    expect(codes(approved)).toEqual([])
    const same = await amy.call('expenses_update_patch_2', { id, exchangeRate: 3.5, exchangeRateDate: friday })
    expect(same).toMatchObject({ status: 'APPROVED' })
    const other = await amy.call('expenses_update_patch_2', { id, exchangeRate: 3.6 })
    expect(other).toMatchObject({ status: 'PENDING_REVIEW', exchangeRate: 3.6 })
    expect(await amy.call('expenses_update_put', { id })).toMatchObject({ exchangeRate: null })
  })

  test('the published one is booked without one, and sending it back changes nothing', async () => {
    const { id, exchangeRate, exchangeRateDate } = await spendApproved(amy, { currency: 'USD', date: friday })
    expect({ exchangeRate, exchangeRateDate }).toEqual({ exchangeRate: 3.70993783057, exchangeRateDate: friday })
    const same = await amy.call('expenses_update_patch_2', { id, exchangeRate, exchangeRateDate, title: 'Lunch' })
    expect(same).toMatchObject({ status: 'APPROVED', title: 'Lunch' })
  })

  test('an unknown one is warned about when it is created, changed and approved', async () => {
    const created = await spend(amy, { currency: 'USD', date: '2020-01-31' })
    expect(codes(created)).toEqual(['EXCHANGE_RATE_MISSING'])
    const changed = await amy.call('expenses_update_patch_2', { id: created.id, title: 'Lunch' })
    expect(codes(changed)).toEqual(['EXCHANGE_RATE_MISSING'])
    expect(codes(await approve(created.id))).toEqual(['EXCHANGE_RATE_MISSING'])
  })

  test('an old one and an unusual one are warned about', async () => {
    const created = await spend(amy, { currency: 'USD', date: '2023-12-20' })
    expect(codes(created)).toEqual(['EXCHANGE_RATE_OLD'])
    expect(codes(await approve(created.id))).toEqual(['EXCHANGE_RATE_OLD'])
    expect(codes(await spend(amy, { currency: 'USD', date: friday, exchangeRate: 37 }))).toEqual([
      'EXCHANGE_RATE_UNUSUAL',
    ])
  })

  test('in the own currency a given one is ignored', async () => {
    const created = await spend(amy, { currency: 'ILS', exchangeRate: 3.5 })
    expect(codes(created)).toEqual(['EXCHANGE_RATE_IGNORED'])
    expect(await amy.call('expenses_get', { id: created.id })).toMatchObject({ exchangeRate: null })
  })
})
