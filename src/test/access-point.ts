import { onTestFinished } from 'vitest'
import { newId } from '../core/values/id.ts'
import { accessPointClient } from '../simulators/access-point/simulator.ts'
import { goodBehaviour, type Switches } from '../simulators/access-point/switches.ts'
import { sell } from './sales-documents.ts'
import { member, type Someone, theApp } from './world.ts'

/** What the simulator of an access point of InvoiceNow accepts. */
export const accessPointCredentials = {
  ...accessPointClient,
  uen: '201403121W',
  gstNumber: 'M90364879X',
  participantId: '0195:SGUEN201403121W',
}

export const invoiceNow = (amy: Someone) => ({ id: String(amy.organizationId), integrationId: 'sg-invoicenow' })

/** A company in Singapore that reports through an access point, with a participant id of its own. */
export async function reportingCompany(settings: object = {}): Promise<Someone & { participantId: string }> {
  const amy = await member('OWNER', { country: 'SG' })
  const id = String(amy.organizationId)
  const numbers = { registrationNumber: '201403121W', taxNumber: 'M90364879X' }
  await amy.call('organizations_update', { id, address: '1 Orchard Road, Singapore 238801', ...numbers })
  const participantId = `0195:SGTST${newId().replaceAll('-', '').slice(-12).toUpperCase()}`
  const credentials = { ...accessPointCredentials, participantId }
  await amy.call('integrations_tax_authority_post', { ...invoiceNow(amy), credentials })
  if (Object.keys(settings).length > 0) await amy.call('settings_update', { id, ...settings })
  return Object.assign(amy, { participantId })
}

/** An invoice over 109 SGD for a business in Singapore. */
export async function reportedInvoice(amy: Someone, more: Record<string, unknown> = {}, customer: object = {}) {
  const { id: customerId } = await amy.call('customers_create', {
    ...{ organizationId: String(amy.organizationId), name: 'Globex Pte. Ltd.', country: 'SG', kind: 'ORGANIZATION' },
    ...{ registrationNumber: '197401143C', address: '22 Raffles Place, Singapore 048617', email: 'ap@globex.test' },
    ...customer,
  })
  return sell(amy, { customerId, status: 'UNSENT', ...more })
}

const simulatorUrl = async () => String(await theApp().providers.taxAuthorities.accessPoint.simulatorUrl('sandbox'))

/** Makes the simulator of the API under test misbehave until the test ends. */
export async function simulateAccessPoint(switches: Partial<Switches>): Promise<void> {
  const url = `${await simulatorUrl()}/switches`
  const put = (body: object) => fetch(url, { method: 'PUT', body: JSON.stringify(body) })
  onTestFinished(async () => void (await put(goodBehaviour)))
  const { status } = await put(switches)
  if (status !== 200) throw new Error('The simulator refused the switches.')
}

type Sent = { times: number; deliveries: number; content: string; receiver: string }

/** What the simulator was sent, by the id of the document. */
export async function sentDocuments(): Promise<Record<string, Sent>> {
  const { sent } = (await (await fetch(`${await simulatorUrl()}/sent`)).json()) as { sent: Record<string, Sent> }
  return sent
}

/** Delivers a file to a participant. */
export async function deliver(participant: string, xml: string, id = newId()): Promise<string> {
  const query = new URLSearchParams({ participant, id, sender: '0195:SGUEN197401143C' })
  const { status } = await fetch(`${await simulatorUrl()}/received?${query}`, { method: 'POST', body: xml })
  if (status !== 201) throw new Error('The simulator refused the document.')
  return id
}
