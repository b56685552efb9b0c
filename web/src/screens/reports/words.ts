import { words } from '../../words.ts'

export const reportWords = words(
  {
    title: 'Reports',
    from: 'From',
    to: 'To',
    csv: 'CSV',
    xlsx: 'XLSX',
    print: 'Print',
    incomplete: 'A rate is missing: some amounts are not included.',
    more: (n: string) => `${n} more rows. Download the report to see all of them.`,
    none: 'No rows in this period.',
    choose: 'Choose an account to see its entries.',
    account: 'Number or name',
    noAccount: 'No account is called that',
    groups: { books: 'Books', sales: 'Sales', purchases: 'Purchases', stock: 'Stock', people: 'People', tax: 'Tax' },
  },
  {
    title: 'דוחות',
    from: 'מתאריך',
    to: 'עד תאריך',
    csv: 'CSV',
    xlsx: 'XLSX',
    print: 'הדפסה',
    incomplete: 'חסר שער: חלק מהסכומים אינם כלולים.',
    more: (n) => `עוד ${n} שורות. הורידו את הדוח כדי לראות את כולן.`,
    none: 'אין שורות בתקופה הזאת.',
    choose: 'בחרו חשבון כדי לראות את הפקודות שלו.',
    account: 'מספר או שם',
    noAccount: 'אין חשבון בשם הזה',
    groups: { books: 'ספרים', sales: 'מכירות', purchases: 'רכש', stock: 'מלאי', people: 'עובדים', tax: 'מסים' },
  },
)
