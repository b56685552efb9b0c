import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { action, automate, graphOf, settle, trigger } from '../../src/test/automations/automations.ts'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { proves, sample } from '../../src/test/prove.ts'
import { member, type Someone } from '../../src/test/world.ts'
import { expectSound, hebrewLooks, visit } from './visit.ts'

const everyCustomer = {
  id: 'customers',
  kind: 'FILTER' as const,
  config: { spec: { root: 'Customer', extract: [{ as: 'name', path: 'Customer.name' }] } },
}
const addCategory = action('add', 'expense_categories_create', { name: '{{item.name}}' })
const sorting = graphOf([trigger('customer.created'), everyCustomer, addCategory], 'start>customers', 'customers*add')
const addCustomer = (amy: Someone, name: string) =>
  amy.call('customers_create', { name, country: 'SG', kind: 'ORGANIZATION' })

/** Finds something in the open dialog by typing, and takes it with the arrows and Enter. */
async function find(page: Page, text: string, name = text) {
  await page.getByRole('combobox').fill(text)
  const wanted = page.getByRole('option').filter({ has: page.getByText(name, { exact: true }) })
  await wanted.first().waitFor()
  for (let at = 0; at < 20; at++) {
    if ((await wanted.first().getAttribute('aria-selected')) === 'true') break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await page.getByRole('combobox').waitFor({ state: 'hidden' })
}

describe.skipIf(!hasBrowser)('automations in the web app', () => {
  withBrowser()

  test('an automation is built, saved, turned on and watched with the keyboard alone', async () => {
    const amy = await member('OWNER')
    const seen = await visit(amy, '/o/$org/automations')
    const { page } = seen
    await page.getByRole('heading', { name: 'No automations yet' }).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('button', { name: 'Begin empty' }).press('Enter')
    await find(page, 'customer was added', 'A customer was added')
    await page.getByLabel('Name of the automation').waitFor()
    await page.keyboard.press('n')
    await find(page, 'Customer')
    await page.getByText('Finds nothing now').waitFor()
    await page.keyboard.press('n')
    await find(page, 'expense categories', 'Expense categories: create')
    await page.getByRole('button', { name: 'Take Name from another block' }).press('Enter')
    await find(page, 'name', 'Name')
    await page.getByText('Name · The current element').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText('Name · The current element').waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+Shift+z')
    await page.getByText('Name · The current element').waitFor()
    await expectSound(seen)

    await page.keyboard.press('Control+s')
    await page.getByText('Version 2').waitFor()
    const [saved] = (await amy.call('automations_list', { organizationId: amy.organizationId ?? '' })).automations
    expect(saved?.blocks.map(({ kind, ref }) => ref ?? kind)).toEqual([
      'customer.created',
      'FILTER',
      'expense_categories_create',
    ])
    expect(saved?.edges.map(({ mode }) => mode)).toEqual(['ONCE', 'FOR_EACH'])
    await page.getByRole('switch', { name: 'Turn on New automation' }).press('Space')
    await page.getByText('New automation is on').waitFor()

    await addCustomer(amy, 'Globex')
    await page.getByRole('link', { name: 'Runs' }).press('Enter')
    await page.getByRole('row').filter({ hasText: 'Running' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByText('Follows the run as it goes').waitFor()
    await settle(amy)
    await page.getByRole('status').getByText('Succeeded').waitFor()
    await page.getByText('1 element').first().waitFor()
    await expectSound(seen)
    const { categories } = await amy.call('expense_categories_list', {})
    expect(categories.map(({ name }) => name)).toContain('Globex')
  })

  test('a failed run is replayed after a look at what that would do', async () => {
    const amy = await member('OWNER')
    const broken = action('add', 'customers_get', { id: '01990000-0000-7000-8000-000000000001' })
    const id = await automate(amy, graphOf([trigger('customer.created'), broken], 'start>add'))
    await addCustomer(amy, 'Globex')
    await settle(amy)
    const { page } = await visit(amy, `/o/$org/automations/${id}/runs?view=FAILED`)
    await page.getByRole('row').filter({ hasText: 'Failed' }).click()
    await page.getByRole('button', { name: 'Replay…' }).waitFor()
    const mended = graphOf(
      [trigger('customer.created'), action('add', 'customers_get', { id: '{{trigger.id}}' })],
      'start>add',
    )
    await amy.call('automations_update', { id, ...mended } as never)
    await page.getByRole('button', { name: 'Replay…' }).click()
    const preview = page.getByRole('dialog', { name: 'What a replay would do' })
    await preview.getByText('failed before').waitFor()
    await preview.getByRole('button', { name: 'Replay' }).click()
    await page.getByRole('status').getByText('Succeeded').waitFor()
  })

  test('a graph is tried with a past event, and nothing is changed', async () => {
    const amy = await member('OWNER')
    const id = await automate(amy, sorting, { armed: false })
    await addCustomer(amy, 'Globex')
    const seen = await visit(amy, `/o/$org/automations/${id}`)
    const { page } = seen
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Test it' })
    await dialog.getByRole('button', { name: /Globex/ }).waitFor()
    await dialog.getByRole('button', { name: 'Try without effects' }).click()
    await dialog.getByText('A run would get through. Nothing was changed.').waitFor()
    await dialog.getByText('Would be done').waitFor()
    await expectSound(seen)
    const { categories } = await amy.call('expense_categories_list', {})
    expect(categories.map(({ name }) => name)).not.toContain('Globex')
  })

  test('whoever saves second is told what the other one changed', async () => {
    const amy = await member('OWNER')
    const id = await automate(amy, sorting, { armed: false })
    const { page } = await visit(amy, `/o/$org/automations/${id}`)
    await page.getByLabel('Name of the automation').fill('Mine')
    await amy.call('automations_update', {
      id,
      ...graphOf([trigger('customer.updated'), addCategory], 'start>add'),
    } as never)
    await page.keyboard.press('Control+s')
    const told = page.getByRole('dialog', { name: 'Somebody else was faster' })
    await told.getByText('The block customers was removed.').waitFor()
    await told.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByText('Version 3').waitFor()
    expect(await amy.call('automations_get', { id })).toMatchObject({ name: 'Mine', blocks: [{}, {}, {}] })
  })

  test.each(hebrewLooks)('list, canvas and runs are sound in $lang, $theme, at $width pixels', async (look) => {
    const amy = await member('OWNER', { country: 'IL' })
    const id = await automate(amy, sorting, { name: 'מיון לקוחות' })
    await addCustomer(amy, 'קפה הגליל')
    await settle(amy)
    const seen = await visit(amy, '/o/$org/automations', look)
    await seen.page.getByText('מיון לקוחות').waitFor()
    await expectSound(seen)
    for (const [path, text] of [
      [`${id}?block=add`, 'קטגוריות הוצאה: יצירה'],
      [`${id}?edge=e1&view=list`, 'לכל איבר ברשימה'],
      [`${id}/runs`, 'הצליח'],
      ['deliveries', 'עדיין לא נשלח דבר'],
      ['new', 'דף ריק'],
    ] as const) {
      await seen.page.goto(`/o/${amy.organizationId}/automations/${path}`)
      await seen.page.getByText(text).first().waitFor()
      await expectSound(seen)
    }
  })

  test.runIf(proves)('a VIEWER reads everything and changes nothing', async () => {
    const amy = await member('OWNER')
    const id = await automate(amy, sorting, { name: 'Sorting' })
    const eve = await member('VIEWER', { of: amy })
    const { page } = await visit(eve, '/o/$org/automations')
    await page.getByRole('row').filter({ hasText: 'Sorting' }).waitFor()
    expect(await page.getByRole('switch').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'New automation' }).count()).toBe(0)
    await page.goto(`/o/${amy.organizationId}/automations/${id}?block=add`)
    await page.getByRole('complementary', { name: 'Expense categories: create' }).waitFor()
    for (const name of ['Save', 'Test', 'Undo', 'Delete', 'Connect to…'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    expect(await page.getByLabel('Name of the automation').getAttribute('readonly')).not.toBeNull()
    await page.keyboard.press('n')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test.each(sample(['he', 'en'] as const, 2))(
    'the chosen block is in view beside its panel, and conditions are readable in full (%s)',
    async (lang) => {
      const amy = await member('OWNER')
      const names = ['one', 'two', 'three', 'four', 'five']
      const actions = names.map((name) => action(name, 'expense_categories_create', { name }))
      const large = {
        all: [
          { left: '{{trigger.total}}', op: 'gt', right: 1000 },
          { left: '{{trigger.currency}}', op: 'eq', right: 'SGD' },
        ],
      }
      const edges = [['start>one', large], 'one>two', 'two>three', 'three>four', 'four>five'] as never[]
      const id = await automate(amy, graphOf([trigger('invoice.paid'), ...actions], ...edges))
      const seen = await visit(amy, `/o/$org/automations/${id}`, { lang })
      const { page } = seen
      const block = (name: string) => page.locator(`.react-flow__node[data-id="${name}"]`)
      const graph = page.locator('.react-flow')
      await block('start').waitFor()
      for (const name of ['start', 'five', 'one']) {
        await page.goto(`/o/${amy.organizationId}/automations/${id}?block=${name}`)
        await page.getByRole('complementary').waitFor()
        await expect.poll(async () => isInside(await block(name).boundingBox(), await graph.boundingBox())).toBe(true)
        // Nothing lies over it: a click in the middle of it is its own.
        await block(name).click({ trial: true })
      }
      const label = graph.getByRole('button').filter({ hasText: '1000' })
      const cut = (each: unknown) => {
        const { scrollWidth, clientWidth, scrollHeight, clientHeight } = each as Record<string, number>
        return Number(scrollWidth) > Number(clientWidth) + 1 || Number(scrollHeight) > Number(clientHeight) + 1
      }
      expect(await label.textContent()).toContain('SGD')
      expect(await label.evaluate(cut)).toBe(false)
      await expectSound(seen)
    },
  )
})

type Box = { x: number; y: number; width: number; height: number } | null
const isInside = (inner: Box, outer: Box): boolean =>
  inner !== null && outer !== null && inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width
