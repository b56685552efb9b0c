import type { SecretKind } from '../core/secrets/lost.ts'

const lostCredentials = 'The credentials were lost together with the key of this installation. Enter them again.'

/** What organizations have entered that is stored encrypted. `secret-kinds.test.ts` compares the list with the database. */
export const secretKinds: readonly SecretKind[] = [
  {
    table: 'automation_secrets',
    column: 'value',
    called: 'secrets of automations',
    again: 'A manager sets them again under the same names.',
  },
  {
    table: 'mail_connections',
    column: 'password',
    called: 'passwords of mailboxes',
    again: 'Enter them again in the settings of each mailbox.',
  },
  {
    table: 'mail_connections',
    column: 'tokens',
    called: 'sign-ins to mailboxes at Google or Microsoft',
    again: 'Connect each mailbox with its provider again.',
  },
  {
    table: 'tax_authority_connections',
    column: 'credentials',
    called: 'credentials for tax authorities and access points',
    again: 'Enter them again; until then documents get no numbers of the authority.',
    // Without this, received e-invoices would be fetched every few minutes in vain.
    note: `update tax_authority_connections c set is_validated = false, validation_error = '${lostCredentials}'
      from organization_keys k where k.organization_id = c.organization_id and k.id = c.credentials_key_id
        and k.lost_at is not null and c.validation_error is distinct from '${lostCredentials}'`,
  },
  {
    table: 'tax_authority_connections',
    column: 'tokens',
    called: 'sign-ins at tax authorities',
    again: 'Connect the authority again after its credentials were entered.',
  },
  {
    table: 'webhook_secrets',
    column: 'secret',
    called: 'secrets that sign webhooks',
    again: 'Make a new one (POST /api/organizations/{id}/webhook-secret/rotate) and give it to the receivers.',
  },
]
