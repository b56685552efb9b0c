import type { IntegrationId } from '../../integrations.ts'
import type { Handler } from './handler.ts'
import { israel } from './israel.ts'
import { singapore } from './singapore.ts'

export const handlers: Record<IntegrationId, Handler> = { 'il-ita-invoices': israel, 'sg-invoicenow': singapore }
