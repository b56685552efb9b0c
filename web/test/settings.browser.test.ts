import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { proves } from '../../src/test/prove.ts'
import { rowOf } from '../../src/test/rows.ts'
import { member } from '../../src/test/world.ts'
import { expectSound, visit } from './visit.ts'

describe.skipIf(!hasBrowser)('settings', () => {
  withBrowser()

  test('the organization gets a new name; people are invited, get another role and leave', async () => {
    const amy = await member('OWNER')
    const ben = await member('VIEWER', { of: amy })
    const seen = await visit(amy, '/o/$org/settings')
    const { page } = seen
    await page.getByLabel('Name', { exact: true }).fill('Acme Pte. Ltd.')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByRole('button', { name: 'Acme Pte. Ltd.' }).waitFor()
    expect((await amy.call('organizations_get', { id: amy.organizationId ?? '' })).name).toBe('Acme Pte. Ltd.')
    await expectSound(seen)

    await page.getByRole('link', { name: 'Team' }).click()
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog')
    const emails = dialog.getByLabel('E-mail addresses')
    await emails.fill('dana@example.test, Omer <omer@example.test>\nnobody')
    await dialog.getByRole('button', { name: 'Invite 3 people' }).click()
    await page.getByText('2 people are invited').waitFor()
    await dialog.getByRole('alert').filter({ hasText: 'nobody:' }).waitFor()
    await expectSound(seen)
    expect(await emails.inputValue()).toBe('nobody')
    await emails.fill('noa@example.test')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await page.getByText(/noa@example\.test.? is invited/).waitFor()
    await dialog.waitFor({ state: 'detached' })
    for (const left of [2, 1, 0]) {
      await page.getByRole('button', { name: 'Withdraw' }).first().click()
      await expect.poll(() => page.getByRole('button', { name: 'Withdraw' }).count()).toBe(left)
    }
    await page.getByRole('heading', { name: 'Invitations' }).waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Change VIEWER' }).click()
    await page
      .getByRole('menuitem', { name: 'Manager' })
      .or(page.getByRole('menuitemradio', { name: 'Manager' }))
      .click()
    await dialog.getByText('Also approves, invites people').waitFor()
    await expectSound(seen)
    await dialog.getByRole('button', { name: 'Change the role' }).click()
    await dialog.waitFor({ state: 'detached' })
    const roleOf = async () =>
      (await amy.call('users_members', { id: amy.organizationId ?? '' })).members.find(
        ({ userId }) => userId === ben.userId,
      )?.role
    expect(await roleOf()).toBe('MANAGER')
    await page.getByRole('button', { name: 'Change VIEWER' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await roleOf()).toBeUndefined()
    expect(seen.trouble).toEqual([])
  })

  test('a secret of a key is shown once; the secret of webhooks is replaced; an app is disconnected', async () => {
    const amy = await member('OWNER')
    await rowOf('connectedApps', amy)
    const seen = await visit(amy, '/o/$org/settings/keys')
    const { page } = seen
    await page.getByRole('button', { name: 'New key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Nightly script')
    await dialog.getByRole('button', { name: 'New key' }).click()
    await dialog.getByText('It is shown only now').waitFor()
    const [secret = ''] = /kontor_\w+|sk_\w+|[\w-]{32,}/.exec((await dialog.textContent()) ?? '') ?? []
    expect(secret.length).toBeGreaterThan(20)
    await expectSound(seen)
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByText('Nightly script').waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.reload()
    await page.getByText('Nightly script').waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor()

    await page.getByRole('link', { name: 'Webhooks' }).click()
    const shown = page.locator('main').getByText(/^whsec_/)
    await page.getByRole('button', { name: 'Make one' }).click()
    const before = await shown.textContent()
    await page.getByRole('button', { name: 'Replace' }).click()
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => shown.textContent()).not.toBe(before)
    await page.getByText('the one before it also signs until').waitFor()

    await page.getByRole('link', { name: 'Connected apps' }).click()
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('heading', { name: 'No app is connected' }).waitFor()
    expect(seen.trouble).toEqual([])
  })

  test.runIf(proves)('the audit is filtered by the way in which somebody came; a viewer cannot invite', async () => {
    const amy = await member('OWNER')
    const vic = await member('VIEWER', { of: amy })
    await amy.call('customers_create', { name: 'Kopi', country: 'SG', kind: 'ORGANIZATION' })
    const seen = await visit(amy, '/o/$org/settings/audit')
    const { page } = seen
    await page.getByText('Customers: create').waitFor()
    await page.getByRole('button', { name: /Done through/ }).click()
    await page.getByRole('option', { name: 'An API key' }).click()
    await page.getByRole('heading', { name: 'Nothing was recorded' }).waitFor()
    await expectSound(seen)
    await page.getByRole('button', { name: /Done through/ }).click()
    await page.getByRole('option', { name: 'A person' }).click()
    await page.getByText('Customers: create').click()
    await page.locator('details[open]').getByText('customers_create').waitFor()
    expect(seen.trouble).toEqual([])
    const other = await visit(vic, '/o/$org/settings/team', { lang: 'he', width: 390 })
    await other.page.getByText('Founder').first().waitFor()
    expect(await other.page.getByRole('button', { name: 'הזמנה' }).count()).toBe(0)
    await expectSound(other)
  })

  test('the audit is filtered by person, by what was done, by thing and by day', async () => {
    const amy = await member('OWNER')
    const ben = await member('MANAGER', { of: amy })
    const customer = { country: 'SG', kind: 'ORGANIZATION' } as const
    await amy.call('customers_create', { ...customer, name: 'Kopi' })
    const { id } = await ben.call('customers_create', { ...customer, name: 'Teh' })
    await ben.call('customers_update', { id, name: 'Teh Tarik' })
    const seen = await visit(amy, '/o/$org/settings/audit')
    const { page } = seen
    const entries = page.locator('main details')
    const dialog = page.getByRole('dialog')
    const { members } = await amy.call('users_members', { id: amy.organizationId ?? '' })
    const benName = members.find(({ userId }) => userId === ben.userId)?.name ?? ''

    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await dialog.getByRole('button', { name: /Person/ }).click()
    await page.getByRole('option', { name: benName }).click()
    await dialog.getByRole('combobox', { name: 'What was done' }).fill('customers: cr')
    await page.getByRole('option', { name: 'Customers: create' }).click()
    await expectSound(seen)
    await dialog.getByRole('button', { name: 'Show' }).click()
    await expect.poll(() => entries.count()).toBe(1)
    await page.getByRole('button', { name: `Person ${benName}` }).waitFor()

    await page.getByRole('button', { name: 'Remove the filter What was done' }).click()
    await entries.filter({ hasText: 'Customers: create' }).click()
    await page.getByRole('button', { name: /^Everything about .*Teh Tarik/ }).click()
    await page.getByRole('button', { name: 'Remove the filter Person' }).click()
    await page.getByRole('button', { name: /^About.*Teh Tarik/ }).waitFor()
    await expect.poll(() => entries.count()).toBe(2)

    await page.goto(`${page.url()}&to=2020-01-01`)
    await page.getByRole('heading', { name: 'Nothing was recorded' }).waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await entries.filter({ hasText: 'Customers: create' }).nth(1).waitFor()
    await expectSound(seen)

    await amy.call('users_member_delete', { id: amy.organizationId ?? '', userId: ben.userId })
    await page.goto(`/o/${amy.organizationId}/settings/audit?person=${ben.userId}`)
    await page.getByRole('button', { name: `Person ${benName}` }).click()
    await dialog.getByRole('button', { name: new RegExp(`${benName}.*Person|Person.*${benName}`) }).waitFor()
  })

  test('a key gets another name and a last day; one changes how one is called', async () => {
    const amy = await member('OWNER')
    await amy.call('api_keys_create', { name: 'Script', scopes: ['*:read'], allOrgs: true })
    const seen = await visit(amy, '/o/$org/settings/keys')
    const { page } = seen
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel(/^Name/).fill('Nightly script')
    await dialog.getByLabel(/^Valid until/).fill('31/12/2031')
    await expectSound(seen)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Nightly script').waitFor()
    const [key] = (await amy.call('api_keys_list', {})).keys
    expect(key).toMatchObject({ name: 'Nightly script', expiresAt: expect.stringMatching(/^2031-12-31/) })
    await page.getByRole('button', { name: 'Founder' }).click()
    await page.getByRole('menuitem', { name: 'Name and letters' }).click()
    await dialog.getByLabel('Name').fill('Amy Tan')
    await expectSound(seen)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Amy Tan' }).waitFor()
    expect(seen.trouble).toEqual([])
  })

  test('only its owner deletes an organization, after typing its name', async () => {
    const amy = await member('OWNER')
    const manager = await member('MANAGER', { of: amy })
    const others = await visit(manager, '/o/$org/settings')
    await others.page.getByRole('heading', { name: 'Numbering' }).waitFor()
    expect(await others.page.getByRole('button', { name: 'Delete the organization' }).count()).toBe(0)
    const seen = await visit(amy, '/o/$org/settings', { lang: 'he', width: 390 })
    const { page } = seen
    await page.getByRole('button', { name: 'מחיקת הארגון' }).click()
    const dialog = page.getByRole('dialog')
    const act = dialog.getByRole('button', { name: 'מחיקה לצמיתות' })
    await act.waitFor()
    expect(await act.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('Acme')
    await expectSound(seen)
    await act.click()
    await page.waitForURL((to) => !to.pathname.includes(amy.organizationId ?? ''))
    expect((await amy.call('organizations_list', {})).organizations).toEqual([])
  })
})
