import { one } from '../../../core/define/query.ts'
import type { ClearanceHandler } from '../../../core/outside/clearance.ts'
import type { AllocationRequest } from '../../../core/outside/tax-authority.ts'
import { today } from '../../../core/values/day.ts'
import { countryView } from '../../../features/selling/documents/country-view.ts'
import { documentById } from '../../../features/selling/documents/reading/read.ts'
import { allocationRequest } from '../allocation-request.ts'
import { il } from '../il.ts'

/** Allocation numbers of the Israel Tax Authority. */
export const clearance: ClearanceHandler = {
  /** A number that the customer got since the issue is used too. */
  async requestFor(db, documentId, credentials) {
    const row = await one(documentById(db, documentId), 'document')
    const view = countryView(row)
    const current = await db
      .selectFrom('documents')
      .innerJoin('organizations', 'organizations.id', 'documents.organizationId')
      .innerJoin('customers', (join) =>
        join
          .onRef('customers.organizationId', '=', 'documents.organizationId')
          .onRef('customers.id', '=', 'documents.counterpartyId'),
      )
      .select(['documents.issuedAt', 'organizations.timezone', 'customers.registrationNumber'])
      .where('documents.id', '=', documentId)
      .executeTakeFirst()
    if (view?.country !== il || !row.invoiceNumber || !current?.issuedAt)
      return { problem: 'This document gets no allocation number.' }
    const { customer } = view.sale
    const registrationNumber = customer.registrationNumber ?? current.registrationNumber
    return allocationRequest(
      { ...view.sale, customer: { ...customer, registrationNumber } },
      {
        documentId,
        number: row.invoiceNumber,
        issuedOn: today(new Date(current.issuedAt), current.timezone),
        credentials,
      },
    )
  },

  requestTokens:
    ({ israel: authority }) =>
    async (caller, { refreshToken, ...client }) =>
      refreshToken ? authority.refresh(caller, { ...client, refreshToken }) : nobodySignedIn,

  ask: ({ israel: authority }, caller, { accessToken, request }) =>
    authority.approve(caller, { accessToken, request: request as AllocationRequest }),

  simulatorUrl: ({ israel: authority }, environment) => authority.simulatorUrl(environment),
}

const nobodySignedIn = {
  kind: 'refused' as const,
  message: 'Nobody has signed in at the tax authority yet: use connect, or enter a refresh token.',
}
