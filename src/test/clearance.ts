import { onTestFinished } from 'vitest'
import { clearDocument } from '../features/books/tax-authorities/clearance/job.ts'
import { goodBehaviour, type Switches } from '../simulators/tax-authority/switches.ts'
import { simulatorClient } from '../simulators/tax-authority/tokens.ts'
import { doJob } from './job.ts'
import { sell } from './sales-documents.ts'
import { member, type Someone, theApp } from './world.ts'

/** What the simulator of the Israel Tax Authority accepts. */
export const simulatorCredentials = { ...simulatorClient, softwareNumber: '12345678', userId: '123456782' }

export const integration = (amy: Someone) => ({ id: String(amy.organizationId), integrationId: 'il-ita-invoices' })

/** An Israeli company that has entered its credentials for the sandbox of the authority, which is the simulator. */
export async function clearingCompany(settings: object = {}): Promise<Someone> {
  const amy = await member('OWNER', { country: 'IL' })
  const id = String(amy.organizationId)
  const numbers = { registrationNumber: '514000009', taxNumber: '514000009' }
  await amy.call('organizations_update', { id, address: '1 Main Street', ...numbers })
  await amy.call('integrations_tax_authority_post', { ...integration(amy), credentials: simulatorCredentials })
  if (Object.keys(settings).length > 0) await amy.call('settings_update', { id, ...settings })
  return amy
}

/** An invoice of today over 15,000 ILS before VAT for a business, which needs an allocation number. */
export async function largeInvoice(amy: Someone, more: Record<string, unknown> = {}, customer: object = {}) {
  const { id: customerId } = await amy.call('customers_create', {
    ...{ name: 'Globex', country: 'IL', address: 'There', registrationNumber: '512345679', email: 'globex@x.test' },
    ...customer,
  })
  return sell(amy, { customerId, status: 'UNSENT', ...amounts(15_000), ...more })
}

/** The amounts of a document in shekels with 18 % VAT. */
export function amounts(subtotal: number) {
  const taxAmount = Math.round(subtotal * 18) / 100
  const items = [{ id: '1', description: 'Consulting', quantity: 1, unitPrice: subtotal, amount: subtotal }]
  return {
    currency: 'ILS',
    items,
    subtotal,
    taxRate: 18,
    taxAmount,
    total: Math.round((subtotal + taxAmount) * 100) / 100,
  }
}

export const submitted = (amy: Someone, id: string, action: 'submit' | 'retry' = 'submit') =>
  amy.call('invoices_clearance_post', { id, action })

/** Runs the job of a document at once. */
export const doClearance = (amy: Someone, documentId: string, more: object = {}) =>
  doJob(clearDocument, { documentId }, { flags: { [`organization:${amy.organizationId}`]: true }, ...more })

const simulatorUrl = async ({ providers } = theApp()) =>
  new URL(
    await providers.taxAuthorities.israel.authorizeUrl('sandbox', {
      clientId: '',
      state: '',
      redirectUri: '',
    }),
  ).origin

/** Makes the simulator of the API under test, or of another one, misbehave until the test ends. */
export async function simulate(switches: Partial<Switches>, app = theApp()): Promise<void> {
  const url = `${await simulatorUrl(app)}/switches`
  const put = (body: object) => fetch(url, { method: 'PUT', body: JSON.stringify(body) })
  onTestFinished(async () => void (await put(goodBehaviour)))
  const { status } = await put(switches)
  if (status !== 200) throw new Error('The simulator refused the switches.')
}

/** How often the simulator was asked for each document, and the number that it allocated. */
export async function decided(): Promise<Record<string, { number: string | null; times: number }>> {
  const { invoices } = (await (await fetch(`${await simulatorUrl()}/invoices`)).json()) as {
    invoices: Record<string, { number: string | null; times: number }>
  }
  return Object.fromEntries(Object.entries(invoices).map(([key, value]) => [key.split(' ')[1] ?? '', value]))
}
