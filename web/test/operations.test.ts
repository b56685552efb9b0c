import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { operations } from '../src/contract.ts'

// Nothing can be done over the API alone: every operation has a place in the web app, or a reason here.

const sources = fileURLToPath(new URL('../src/', import.meta.url))
/** Files that name operations without calling them. */
const only = ['contract.ts', 'ui/schema/operation-names.ts']

const text = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$/.test(file) && !only.includes(file))
  .map((file) => readFileSync(sources + file, 'utf8'))
  .join('\n')
const isNamed = (name: string) => text.includes(`'${name}'`)

/** Operations that no screen needs, and why. */
const exceptions: Record<string, string> = {
  customers_update: 'replaces a whole customer; the form changes single fields with customers_update_patch',
  invoices_update_put: 'replaces a whole document; the editor changes single fields with invoices_update',
  expenses_update: 'replaces a whole category; the form changes single fields with expenses_update_patch',
  expenses_update_put: 'replaces a whole expense; the form changes single fields with expenses_update_patch_2',
  suppliers_update: 'replaces a whole supplier; the form changes single fields with suppliers_update_patch',
  orders_update: 'replaces a whole order; the form changes single fields with orders_update_patch',
  logistics_items_update: 'replaces a whole item; the form changes single fields with logistics_items_update_patch',
  organizations_list: 'the session names the organizations of the person',
  organizations_file_upload: 'the logo is uploaded to its address as a form',
  settings_logo: 'the settings show the uploaded file; mails and other programs read the logo in a size',
  users_invitation_accept: 'the page of the invitation accepts it',
  integrations_tax_authority_authorize: 'the page that the authority sends the browser back to ends the sign-in',
  api_keys_get: 'the list has everything of each key',
  companion_write_ask: 'answers programs in a shape that they ask for; people talk with the companion',
  invoices_send_preview: 'the letter is shown as it is written, by invoices_mail_preview',
}

test('every operation is offered by a screen, or there is a reason why not', () => {
  const left = Object.keys(operations).filter((name) => !isNamed(name))
  expect(left.filter((name) => !(name in exceptions))).toEqual([])
})

test('the operations without a screen exist and are really without one', () => {
  expect(Object.keys(exceptions).filter((name) => !(name in operations) || isNamed(name))).toEqual([])
})
