import type { Page } from 'playwright-core'
import { personWithPassword } from '../../src/test/accounts.ts'
import type { Profile } from '../../src/test/browser.ts'
import { Someone, theApp } from '../../src/test/world.ts'

/** An owner who can sign in with the password `correct horse`. */
export async function ownerWithPassword(country: 'IL' | 'SG' | 'US' = 'SG'): Promise<Someone> {
  const amy = await personWithPassword()
  const { id } = await amy.call('organizations_create', { name: 'Acme', country })
  return new Someone(amy.userId, amy.credentials, id)
}

/** Ends every session of the person on the server; the browser does not know. */
export const endSession = ({ userId }: Someone) =>
  theApp().system.raw.query('delete from sessions where user_id = $1', [userId])

export const newCustomer = async (amy: Someone, name = 'Kopi Republic Pte. Ltd.', country = 'SG') =>
  (
    await amy.call('customers_create', {
      name,
      country,
      kind: 'ORGANIZATION',
      email: 'accounts@kopi.example',
      defaultCurrencies: ['SGD'],
    })
  ).id

export const newDraft = (amy: Someone, customerId: string, more: object = {}) =>
  amy.call('invoices_create', {
    organizationId: amy.organizationId ?? '',
    customerId,
    currency: 'SGD',
    items: [{ id: '1', description: 'Retainer', quantity: 1, unitPrice: 100, amount: 100 }],
    subtotal: 100,
    taxRate: 9,
    taxAmount: 9,
    total: 109,
    dueDate: '2027-01-31',
    ...more,
  })

/** From now on every request takes a while, as on a train. */
export async function slowDown(context: Profile, page: Page) {
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 700,
    downloadThroughput: 150_000,
    uploadThroughput: 150_000,
  })
}
