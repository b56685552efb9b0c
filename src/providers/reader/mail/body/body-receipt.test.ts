import { expect, test } from 'vitest'
import { factsOfBody } from './body-receipt.ts'
import { textBlocks } from './text-blocks.ts'

const factsOf = (subject: string, text: string, { isBulk = false, links = [] as string[] } = {}) =>
  factsOfBody(textBlocks(text), { subject, isBulk, links: links.map((one) => ({ text: one })) })

test.for([
  ['Your receipt from Acme #2041-7', 'Receipt from Acme\nAmount paid    $29.00\nDate paid    Jan 20, 2026\nTotal    $29.00', true],
  ['Your Tuesday evening trip with Rider', 'Thanks for riding, Dana\nTotal    $14.62\nTrip fare    $12.00\nPayments    Visa 4242', true],
  ['Your receipt from Fruit Store', 'Invoice\nORDER ID: MX12\nCloud+ 50 GB    US$ 0.99\nTOTAL    US$ 0.99', true],
  ['Order confirmation', 'Hello Dana,\nThank you for your order.\nOrder #112-5\nItem subtotal: EUR 20.00\nOrder Total: EUR 23.80', true],
  ['You sent a payment', 'You sent $45.00 USD to Shop Ltd.\nTransaction ID\n5K1\nPayment to\nShop Ltd', true],
  ['[Acme] Payment receipt', 'We received payment for your subscription.\nTotal: $4.00 USD*\nCharged to: Visa', true],
  ['אישור הזמנה', 'תודה על הזמנתך!\nמספר הזמנה 5512\nסה"כ    89.90 ₪', true],
  ['קבלה על תשלום', 'התשלום התקבל\nסכום ששולם: 120 ש"ח', true],
  ['חשבונית מס קבלה 10023', 'שלום רב,\nסך הכל לתשלום 1,170.00 ₪ כולל מע"מ', true],
  ['Invoice 778', 'Invoice 778\nConsulting    1 000,00 €\nTotal    1 190,00 €', true],
  ['Reset your password', 'Click to reset your password. The link is valid for 24 hours.', false],
  ['Your order has shipped', 'Your order is on its way and arrives on Thursday.', false],
  ['Lunch', 'The lunch cost us $50, can you believe it?', false],
  ['Re: the project', 'Could you send me the invoice for the $500 job?', false],
  ['Minutes', 'We have 3 invoices open. In total 12 people came.', false],
] as const)('%s: %s', ([subject, text, isReceipt]) => {
  expect(factsOf(subject, text)).toMatchObject({ isReceipt, otherKind: null })
}) // biome-ignore format: a case a line

test.for([
  ['Quotation Q-5', 'Your order details\nTotal: $500.00', 'an offer or a quotation'],
  ['Your refund', 'Order #5\nRefund total: $20.00', 'about a refund'],
  ['Payment failed', 'Your payment of $20.00 for your subscription was declined.', 'about a payment that failed'],
  [
    'You have received a payment',
    'You have received a payment of $20.00. Transaction ID 5',
    'about money that was received',
  ],
  ['Your card statement is ready', 'Your bill\nTotal: $2,000.00', 'a statement of an account'],
  ['הצעת מחיר 12', 'מספר הזמנה 5\nסה"כ 500 ₪', 'an offer or a quotation'],
] as const)('a message with a total that is no receipt is known: %s', ([subject, text, otherKind]) => {
  expect(factsOf('Receipt', text.replace(/refund |\bwas declined|you have received a /gi, ''))).toMatchObject({
    isReceipt: true,
  })
  expect(factsOf(subject, text)).toMatchObject({ isReceipt: false, otherKind })
})

test('an advertisement with prices is no receipt, and a receipt of the same sender is one', () => {
  const offer = 'Your order can be cheaper: 20 % off until Friday.\nTotal savings    $40.00'
  expect(factsOf('Offers', offer, { isBulk: true }).isReceipt).toBe(false)
  expect(factsOf('Offers', `${offer}\nThank you for your order.`, { isBulk: true }).isReceipt).toBe(true)
  expect(factsOf('Receipt', 'Receipt 5\nTotal    $40.00', { isBulk: true }).isReceipt).toBe(true)
})

test('a link to an invoice is known by its words, or by the sentence around it', () => {
  const linked = (text: string, links: string[]) => factsOf('New document', text, { links }).linksToDocument
  expect(linked('Hello', ['View invoice'])).toBe(true)
  expect(linked('Hello', ['לצפייה בחשבונית'])).toBe(true)
  expect(linked('You can download your receipt here:', ['Click me'])).toBe(true)
  expect(linked('You can download your receipt here:', [])).toBe(false)
  expect(linked('Hello', ['Our website'])).toBe(false)
})
