import type { Random } from '../random.ts'
import { blankPicture, toPng } from '../receipts/picture.ts'
import { type Bill, bodyOf, eInvoiceOf, pdfOf, pictureOf } from './bill.ts'
import type { Letter } from './mime.ts'

/** What a letter is written with: its day, a number that no other letter has, and the letter of so many days before. */
export type Occasion = { day: string; serial: number; random: Random; earlier(days: number): Letter }
type Write = (occasion: Occasion) => Letter

type Supplier = Omit<Bill, 'number' | 'date' | 'total'> & { prefix: string; amount: readonly [number, number] }

// biome-ignore format: a table
const suppliers = {
  pixelmill: { vendor: 'Pixelmill Inc.', address: '88 Spear St, San Francisco, CA 94105', title: 'Design software, five seats', currency: 'USD', taxRate: 0, amount: [274.95, 274.95], prefix: 'PXM-', paidBy: 'card' },
  cabs: { vendor: 'Harbour Cabs', address: '2 Telok Blangah Rd, Singapore 098826', taxNumber: 'M90011223C', title: 'Taxi ride', currency: 'SGD', taxRate: 9, amount: [14, 42], prefix: 'HC', paidBy: 'card' },
  kitchen: { vendor: 'Tiong Bahru Kitchen', address: '57 Eng Hoon St, Singapore 160057', taxNumber: 'M90045612D', title: 'Lunch', currency: 'SGD', taxRate: 9, amount: [38, 120], prefix: 'T', paidBy: 'Card' },
  printer: { vendor: 'Bugis Print House', address: '12 Liang Seah St, Singapore 189033', taxNumber: 'M90078234B', title: 'Proofs and mock-ups', currency: 'SGD', taxRate: 9, amount: [163.5, 981], prefix: 'BPH-' },
  rent: { vendor: 'Ayer Rajah Spaces Pte. Ltd.', address: '71 Ayer Rajah Crescent, Singapore 139951', taxNumber: '200912233K', title: 'Storage room, month', currency: 'SGD', taxRate: 9, amount: [218, 218], prefix: 'ARS-' },
  hosting: { vendor: 'Nimbus Hosting Pte. Ltd.', address: '1 Fusionopolis Way, Singapore 138632', taxNumber: 'M90066551H', title: 'Server, month', currency: 'SGD', taxRate: 9, amount: [54.5, 54.5], prefix: 'NH-', paidBy: 'card' },
  paper: { vendor: 'Paper & Pen', address: '90 Bras Basah Rd, Singapore 189562', taxNumber: 'M90033447P', title: 'Paper and pens', currency: 'SGD', taxRate: 9, amount: [12, 64], prefix: 'P', paidBy: 'Cash' },
  audit: { vendor: 'Temasek Audit LLP', address: '4 Shenton Way, Singapore 068807', taxNumber: 'T09LL0456H', title: 'Payroll service, month', currency: 'SGD', taxRate: 9, amount: [163.5, 163.5], prefix: 'TA-' },
  domains: { vendor: 'Lion Domains', address: '20 Collyer Quay, Singapore 049319', taxNumber: 'M90055667L', title: 'Domain straits-design.test, year', currency: 'SGD', taxRate: 9, amount: [32.7, 32.7], prefix: 'LD', paidBy: 'card' },
  courier: { vendor: 'Merlion Couriers', address: '9 Changi South St, Singapore 486365', taxNumber: 'M90022118M', title: 'Parcels', currency: 'SGD', taxRate: 9, amount: [21.8, 87.2], prefix: 'MC-' },
} as const satisfies Record<string, Supplier>

function billOf(name: keyof typeof suppliers, { day, serial, random }: Occasion): Bill {
  const { prefix, amount, ...facts } = suppliers[name]
  const [from, to] = amount.map((value) => Math.round(value * 100)) as [number, number]
  return { ...facts, date: day, number: `${prefix}${serial}`, total: random.integer(from, to) / 100 }
}

const asPdf =
  (name: keyof typeof suppliers, from: string): Write =>
  (occasion) => {
    const bill = billOf(name, occasion)
    return {
      from,
      subject: `Invoice ${bill.number} from ${bill.vendor}`,
      text: `Dear customer,\n\nyour invoice ${bill.number} is attached.\n\nKind regards\n${bill.vendor}\n`,
      files: [pdfOf(bill)],
    }
  }

const asPicture =
  (name: keyof typeof suppliers, subject: string): Write =>
  (occasion) => ({
    from: 'Marcus Lim <marcus.lim@straits-design.test>',
    subject,
    text: 'For the books, please. Thanks, Marcus\n',
    files: [pictureOf(billOf(name, occasion))],
  })

const asBody =
  (name: keyof typeof suppliers, from: string): Write =>
  (occasion) => {
    const bill = billOf(name, occasion)
    return { from, subject: `Your receipt ${bill.number}`, html: bodyOf(bill) }
  }

const asEInvoice =
  (name: keyof typeof suppliers, from: string): Write =>
  (occasion) => {
    const bill = billOf(name, occasion)
    return {
      from,
      subject: `E-invoice ${bill.number}`,
      text: 'The e-invoice is attached.\n',
      files: [eInvoiceOf(bill)],
    }
  }

const newsletter =
  (from: string, subject: string, text: string): Write =>
  () => ({
    from,
    subject,
    html: `<h1>${subject}</h1><p>${text}</p><p><a href="https://news.example/leave">Unsubscribe</a></p>`,
    headers: { 'List-Unsubscribe': '<https://news.example/leave>', 'List-Id': '<news.example>', Precedence: 'bulk' },
  })

const note =
  (from: string, subject: string, text: string, headers: Record<string, string> = {}): Write =>
  () => ({ from, subject, text: `${text}\n`, headers })

const invitation: Write = ({ day, serial }) => ({
  from: 'Farah Aziz <farah@kgh.test>',
  subject: 'Invitation: signage walk-through',
  text: 'You are invited to the signage walk-through.\n',
  calendar: [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//kgh.test//EN', 'METHOD:REQUEST', 'BEGIN:VEVENT', `UID:${serial}@kgh.test`],
    ...[`DTSTAMP:${day.replaceAll('-', '')}T010000Z`, `DTSTART:${day.replaceAll('-', '')}T060000Z`, 'DURATION:PT1H'],
    ...['SUMMARY:Signage walk-through', 'END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n'),
}) // biome-ignore format: a line each

const linkOnly: Write = ({ serial }) => ({
  from: 'Telco Billing <billing@telco.example>',
  subject: 'Your invoice is ready',
  html: `<p>Hello,</p><p>your new invoice is ready.</p><p><a href="https://telco.example/invoices/${serial}">View your invoice</a></p>`,
})

/** A colleague forwards an invoice that came two days before. */
const duplicateForward: Write = ({ earlier }) => {
  const { subject, text = '', files = [] } = earlier(2)
  return {
    from: 'Marcus Lim <marcus.lim@straits-design.test>',
    subject: `Fwd: ${subject}`,
    text: `Did this one arrive?\n\n---------- Forwarded message ----------\n${text}`,
    files,
  }
}

/** A message with a signature whose logo is no receipt. */
const withLogo: Write = () => ({
  from: 'Grace Ong <grace@hfmuseum.test>',
  subject: 'Exhibition texts',
  html: '<p>Hi, the new texts come on Friday.</p><p>Grace<br><img src="cid:logo.png" width="32" height="32"></p>',
  files: [{ name: 'logo.png', type: 'image/png', content: logo(), isInline: true }],
})
const logo = () => toPng(blankPicture(32, 32))

/** A month in the mailbox, a letter a day: ten receipts, and what else arrives in a mailbox. */
export const letters: readonly Write[] = [
  asPdf('pixelmill', 'Pixelmill <billing@pixelmill.test>'),
  newsletter('Type Weekly <news@typeweekly.example>', 'Five new grotesques', 'Licences from $49.00 this week.'),
  asBody('cabs', 'Harbour Cabs <receipts@harbour-cabs.test>'),
  note('Tan Wei Ling <weiling.tan@mail.test>', 'Invitations', 'The cards look lovely. Could we try a warmer white?'),
  asPicture('kitchen', 'Lunch with Merlion'),
  invitation,
  asPdf('printer', 'Bugis Print House <orders@bugis-print.test>'),
  newsletter('Museum News <news@museums.example>', 'What is on in the museums', 'Tickets from $12.00.'),
  duplicateForward,
  withLogo,
  asEInvoice('rent', 'Ayer Rajah Spaces <leasing@ayer-rajah.test>'),
  note('Kopi Republic <hq@kopi-republic.test>', 'Photos of the new blend', 'Can you come on Tuesday at ten?'),
  linkOnly,
  asPicture('paper', 'Paper for the plotter'),
  newsletter('Paper Mill <hello@papermill.example>', 'Samples, free of charge', 'Order your swatch book.'),
  asBody('hosting', 'Nimbus Hosting <billing@nimbus.test>'),
  note(
    'Jurong Robotics <finance@jurong-robotics.test>',
    'Payment sent',
    'We have paid your invoice today by transfer.',
  ),
  asPdf('audit', 'Temasek Audit LLP <fees@temasek-audit.test>'),
  newsletter('Studio Tools <news@studio-tools.example>', 'Update 7.2 is here', 'Faster export, and dark mode.'),
  note('Nadia Rahman <nadia@rahman-illustration.test>', 'Out of office', 'I am back on Monday.', {
    'Auto-Submitted': 'auto-replied',
  }),
  asBody('domains', 'Lion Domains <receipts@lion-domains.test>'),
  note('Marcus Lim <marcus.lim@straits-design.test>', 'Keys', 'I left the keys of the store with the guard.'),
  newsletter('Type Weekly <news@typeweekly.example>', 'Variable fonts in print', 'A long read for the weekend.'),
  asPdf('courier', 'Merlion Couriers <billing@merlion-couriers.test>'),
  note(
    'Security <no-reply@mail.example>',
    'New sign-in to your account',
    'Somebody signed in from Singapore. Was it you?',
  ),
  note(
    'Merlion Couriers <track@merlion-couriers.test>',
    'Your parcel is on its way',
    'It arrives tomorrow before noon.',
  ),
  newsletter('Museum News <news@museums.example>', 'Late opening on Friday', 'Free entry for members.'),
  note('Orchid & Oak <hello@orchid-oak.test>', 'Stationery for May', 'Two weddings in May. Do you have time?'),
  newsletter('Paper Mill <hello@papermill.example>', 'Spring colours', 'Twelve new shades.'),
  note('Farah Aziz <farah@kgh.test>', 'Signage, level 3', 'The arrows at the lift point the wrong way.'),
]
