import { sql } from 'kysely'
import { filterable, toMany } from '../../../core/define/filterable.ts'

const BankAccount = filterable({
  feature: 'bank_accounts',
  from: sql`bank_accounts`,
  fields: {
    id: 'id',
    organizationId: 'id',
    accountName: 'text',
    bankName: 'text',
    isDefault: 'boolean',
    accountNumber: 'text',
    branchCode: 'text',
    localBankCode: 'text',
    swiftCode: 'text',
    iban: 'text',
    routingNumber: 'text',
    bankAddress: 'text',
    bankCountry: 'text',
    notes: 'text',
    createdAt: 'instant',
    updatedAt: 'instant',
  },
  relations: { documents: toMany('Document', 'id', 'bankAccountId') },
})

export const bankAccountObjects = { BankAccount }
