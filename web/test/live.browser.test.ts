import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { member, theApp } from '../../src/test/world.ts'
import { expectSound, visit } from './visit.ts'

const customer = (name: string) => ({ name, country: 'SG', kind: 'ORGANIZATION' as const })

describe.skipIf(!hasBrowser)('what others change', () => {
  withBrowser()

  test('appears without a reload, and no longer after access has ended', async () => {
    const amy = await member('OWNER')
    const ben = await member('VIEWER', { of: amy })
    const seen = await visit(ben, '/o/$org/customers')
    const { page } = seen
    const following = page.waitForRequest((request) => request.url().includes('/api/changes'))
    await page.getByRole('heading', { name: 'No customers yet' }).waitFor()
    await following
    await page.waitForTimeout(500)
    await amy.call('customers_create', customer('Kopi Republic'))
    await page.getByRole('row').filter({ hasText: 'Kopi Republic' }).waitFor({ timeout: 8_000 })
    await expectSound(seen)
    await theApp().system.raw.query('delete from memberships where user_id = $1', [ben.userId])
    await amy.call('customers_create', customer('Later Pte. Ltd.'))
    await page.waitForTimeout(2_500)
    expect(await page.getByText('Later Pte. Ltd.').count()).toBe(0)
    expect(await page.getByRole('dialog').count()).toBe(0)
    let asked = 0
    page.on('request', (request) => (asked += request.url().includes('/api/changes') ? 1 : 0))
    await page.waitForTimeout(3_000)
    expect(asked).toBe(0)
    expect(seen.trouble).toEqual([])
  })

  test('reaches every tab of a browser through one connection, which the next tab takes over', async () => {
    const amy = await member('OWNER')
    const ben = await member('VIEWER', { of: amy })
    const first = await visit(ben, '/o/$org/customers')
    await first.page.getByRole('heading', { name: 'No customers yet' }).waitFor()
    await first.page.waitForTimeout(1_000)
    const asked: string[] = []
    first.context.on('request', (request) => {
      if (request.url().includes('/api/changes')) asked.push(request.url())
    })
    const second = await first.context.newPage()
    await second.goto(`/o/${ben.organizationId}/customers`)
    await second.getByRole('heading', { name: 'No customers yet' }).waitFor()
    await second.waitForTimeout(1_000)
    expect(asked).toEqual([])
    await amy.call('customers_create', customer('Kopi Republic'))
    for (const page of [first.page, second]) await page.getByRole('row').filter({ hasText: 'Kopi' }).waitFor()
    await first.page.close()
    await expect.poll(() => asked.length).toBe(1)
    expect(asked[0]).toContain('lastEventId=')
    await amy.call('customers_create', customer('Later Pte. Ltd.'))
    await second.getByRole('row').filter({ hasText: 'Later Pte. Ltd.' }).waitFor()
    expect(first.trouble).toEqual([])
  })
})
