import { words } from '../../../words.ts'

export const uploadWords = words(
  {
    upload: 'Scan a receipt',
    uploading: 'Reading the receipt…',
    read: 'Read from the receipt. Please check it.',
    unreadable: 'The receipt is kept, but could not be read',
    known: 'There is another expense with the same receipt.',
    sentToRead: (count: string) => `${count} files are being read`,
  },
  {
    upload: 'סריקת קבלה',
    uploading: 'קוראים את הקבלה…',
    read: 'נקרא מהקבלה. כדאי לבדוק.',
    unreadable: 'הקבלה נשמרה, אך לא ניתן היה לקרוא אותה',
    known: 'יש הוצאה נוספת עם אותה קבלה.',
    sentToRead: (count) => `${count} קבצים בקריאה`,
  },
)
