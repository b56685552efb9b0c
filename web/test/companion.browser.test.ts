import { describe, expect, test } from 'vitest'
import { builtInAssistant } from '../../src/features/work/companion/assistant/answer.ts'
import { runTurnWith } from '../../src/features/work/companion/turns/run-turn.ts'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { doJob } from '../../src/test/job.ts'
import { member, type Someone } from '../../src/test/world.ts'
import { newCustomer } from './people.ts'
import { expectSound, visit } from './visit.ts'

const activeTurn = async (someone: Someone) => {
  const [latest] = (await someone.call('companion_read_sessions', {})).sessions
  return latest && (await someone.call('companion_read_session', { id: latest.id })).activeTurnRunId
}

/** Works on the turn that was just started, as a worker does. */
async function work(someone: Someone) {
  await expect.poll(() => activeTurn(someone), { timeout: 10_000 }).toBeTruthy()
  const flags = { [`organization:${someone.organizationId}`]: true as const }
  await doJob(
    runTurnWith(() => builtInAssistant),
    { turnId: await activeTurn(someone) },
    { flags },
  )
}

describe.skipIf(!hasBrowser)('the companion beside the page', () => {
  withBrowser()

  test('answers, and waits for a yes before something is deleted', async () => {
    const amy = await member('OWNER')
    await amy.call('customers_create', { name: 'Kopi Republic', country: 'SG', kind: 'ORGANIZATION' })
    const seen = await visit(amy, '/o/$org/customers')
    const { page } = seen
    await page.getByRole('row').filter({ hasText: 'Kopi Republic' }).waitFor()
    await page.keyboard.press('Control+KeyJ')
    const panel = page.getByRole('complementary', { name: 'Companion' })
    await panel.getByLabel('Your message').fill('delete customer Kopi Republic')
    await page.keyboard.press('Enter')
    await panel.getByText('Working…').waitFor()
    await work(amy)
    const card = panel.getByRole('region', { name: 'Waits for your yes' })
    await card.getByText('Kopi Republic').first().waitFor()
    await expectSound(seen)
    expect((await amy.call('customers_list', {})).pagination.total).toBe(1)
    await card.getByRole('button', { name: 'Yes, do it' }).click()
    await work(amy)
    await expect.poll(async () => (await amy.call('customers_list', {})).pagination.total, { timeout: 10_000 }).toBe(0)
    await card.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'No customers yet' }).waitFor()
    expect(seen.trouble).toEqual([])
  })

  test('is asked about what is open, tries again what was stopped, and gives the talk as a file', async () => {
    const amy = await member('OWNER')
    const id = await newCustomer(amy, 'Kopi Republic')
    const { page, trouble } = await visit(amy, `/o/$org/customers/${id}`)
    await page.getByRole('heading', { name: 'Kopi Republic' }).waitFor()
    await page.keyboard.press('Control+KeyJ')
    const panel = page.getByRole('complementary', { name: 'Companion' })
    await panel.getByLabel('Your message').fill('show')
    await panel.getByRole('button', { name: 'About customer Kopi Republic' }).click()
    expect(await panel.getByLabel('Your message').inputValue()).toBe('show customer Kopi Republic ')
    await panel.getByRole('button', { name: 'Send' }).click()
    await panel.getByRole('button', { name: 'Stop' }).click()
    await panel.getByText('You stopped this.').waitFor()
    await panel.getByRole('button', { name: 'Try again' }).click()
    await panel.getByText('Working…').waitFor()
    await work(amy)
    await panel.getByText('Working…').waitFor({ state: 'detached' })
    await panel.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' })
    const saved = page.waitForEvent('download')
    await panel.getByRole('button', { name: 'More about this talk' }).click()
    await page.getByRole('menuitem', { name: 'Download the talk' }).click()
    expect((await saved).suggestedFilename()).toMatch(/^companion-.*\.json$/)
    expect(trouble).toEqual([])
  })

  test('is sound in Hebrew on a phone, and absent for those who may not ask', async () => {
    const amy = await member('OWNER', { country: 'IL' })
    const seen = await visit(amy, '/o/$org/customers', { lang: 'he', width: 390 })
    await seen.page.getByRole('heading', { name: 'לקוחות', exact: true }).waitFor()
    await seen.page.keyboard.press('Control+KeyJ')
    await seen.page.getByLabel('ההודעה שלכם').fill('כמה לקוחות יש לי?')
    await seen.page.keyboard.press('Enter')
    await work(amy)
    await seen.page.getByRole('log').getByText('עובד…').waitFor({ state: 'detached' })
    expect(await seen.page.getByRole('log').getByRole('listitem').count()).toBeGreaterThan(1)
    await expectSound(seen)
    const ben = await member('VIEWER', { of: amy })
    const { page } = await visit(ben, '/o/$org/customers')
    await page.getByRole('heading', { name: 'Customers', exact: true }).waitFor()
    await page.keyboard.press('Control+KeyJ')
    expect(await page.getByLabel('Your message').count()).toBe(0)
  })

  test('a talk is renamed, shows everything it did, and is deleted after a question', async () => {
    const amy = await member('OWNER')
    await newCustomer(amy, 'Kopi Republic')
    const seen = await visit(amy, '/o/$org/customers')
    const { page } = seen
    await page.getByRole('row').filter({ hasText: 'Kopi Republic' }).waitFor()
    await page.keyboard.press('Control+KeyJ')
    const panel = page.getByRole('complementary', { name: 'Companion' })
    await panel.getByLabel('Your message').fill('show customer Kopi Republic')
    await page.keyboard.press('Enter')
    await work(amy)
    const dialog = page.getByRole('dialog')
    const choose = async (name: string) => {
      await panel.getByRole('button', { name: 'More about this talk' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await choose('Rename')
    await dialog.getByLabel('Name of the talk').fill('About Kopi')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await panel.getByRole('heading', { name: 'About Kopi' }).waitFor()
    await choose('Everything it did')
    await dialog
      .getByText(/customers_/)
      .first()
      .waitFor()
    await expectSound(seen)
    await page.keyboard.press('Escape')
    await choose('Delete')
    await dialog.getByText('About Kopi').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await panel.getByText('Ask, or say what to do').waitFor()
    expect((await amy.call('companion_read_sessions', {})).sessions).toEqual([])
    expect(seen.trouble).toEqual([])
  })
})
