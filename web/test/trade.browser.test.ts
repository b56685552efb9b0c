import { describe, expect, onTestFinished, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { newsletterMail, receiptMail } from '../../src/test/mails/mails.ts'
import { connect, poll, startMailbox } from '../../src/test/polls.ts'
import { purchase, trader } from '../../src/test/trading.ts'
import { member } from '../../src/test/world.ts'
import { expectSound, visit } from './visit.ts'

describe.skipIf(!hasBrowser)('orders and mailboxes', () => {
  withBrowser()

  test('an order shows what came of it and how it agrees; its letter is shown before it is sent', async () => {
    const company = await trader()
    const { amy, supplier } = company
    await amy.call('suppliers_update_patch', { id: supplier.id, email: 'orders@acme.example' })
    const { id, lines } = await purchase(company, 5)
    await amy.call('orders_receive', { id, lines: [{ lineId: lines[0]?.id ?? '', quantity: 2 }] })
    const seen = await visit(amy, `/o/$org/orders?open=${id}`)
    const { page } = seen
    const record = page.getByRole('complementary')
    await record.getByText('What came of it').click()
    await record.getByText('Stock movement').first().waitFor()
    await record.getByText('Ordered, received, billed').click()
    await record.getByText('Received', { exact: true }).first().waitFor()
    await expectSound(seen)
    await record.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Send' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByText('orders@acme.example').waitFor()
    await expectSound(seen)
    await page.keyboard.press('Escape')
    await page.goto(`/o/${amy.organizationId}/stock-movements`)
    await page.getByRole('gridcell', { name: 'Lamp' }).click()
    await page.getByRole('complementary').getByText('Order').first().waitFor()
    expect(seen.trouble).toEqual([])
  })

  test('a mailbox is changed and disconnected; each message of a reading has its outcome', async () => {
    const amy = await member('OWNER')
    const mailbox = await startMailbox([receiptMail({ id: 'one', number: 'A-1', total: 54 }), newsletterMail()])
    onTestFinished(() => mailbox.close())
    const { id } = await connect(amy, mailbox)
    await amy.call('integrations_auto_scan_post', { id, cadence: 'DAILY' })
    const run = await poll(amy, id)
    const readings = await visit(amy, `/o/$org/mail-runs?open=${run.id}`, { lang: 'he', width: 390 })
    await readings.page.getByText('ההודעות ומה יצא מהן').click()
    await readings.page.getByText('נוצרה הוצאה').waitFor()
    await readings.page.getByText('אינו הוצאה').waitFor()
    await expectSound(readings)
    await readings.page.getByRole('link', { name: 'פתיחת ההוצאה' }).click()
    await readings.page.waitForURL(/\/expenses\?open=/)

    const seen = await visit(amy, `/o/$org/mailboxes?open=${id}`)
    const { page } = seen
    const record = page.getByRole('complementary')
    await record.getByText('Schedule').click()
    await record.getByText('Daily').waitFor()
    await record.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel(/^Name/).fill('Bills')
    await expectSound(seen)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('gridcell', { name: 'Bills' }).waitFor()
    await record.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No mailbox is connected' }).waitFor()
    expect(seen.trouble).toEqual([])
  })

  test('a mailbox of Gmail is connected where its owner allows it', async () => {
    const { page } = await visit(await member('OWNER'), '/o/$org/mailboxes')
    const { origin } = new URL(page.url())
    await page.getByRole('button', { name: 'More' }).first().click()
    await page.getByRole('menuitem', { name: 'Connect Gmail' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Connect Gmail' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    // The provider sends the browser to the address of the installation; it is signed in at another name of this machine.
    await page.waitForURL(/[?&]code=/)
    const { pathname, search } = new URL(page.url())
    await page.goto(origin + pathname + search)
    await page.getByRole('heading', { name: 'The mailbox is connected' }).waitFor()
  })
})
