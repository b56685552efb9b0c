import { words } from '../../../words.ts'

export const reviewWords = words(
  {
    receipt: 'Receipt',
    show: 'Show what is printed where',
    reading: 'Reading the receipt…',
    sure: (percent: string) => `${percent}% sure`,
    read: 'Read:',
    check: 'The figures on the receipt do not agree. Please look again.',
    checks: {
      SUBTOTAL_PLUS_TAX: 'On the receipt, subtotal and tax do not add up to the total. Please look again.',
      ITEMS_ADD_UP: 'On the receipt, the lines do not add up to the total. Please look again.',
      CASH_MINUS_CHANGE: 'On the receipt, cash less change is not the total. Please look again.',
      TAX_RATE: 'On the receipt, the tax does not fit its rate. Please look again.',
    } as Record<string, string>,
  },
  {
    receipt: 'קבלה',
    show: 'מה מודפס והיכן',
    reading: 'קוראים את הקבלה…',
    sure: (percent) => `ודאות ${percent}%`,
    read: 'נקרא:',
    check: 'המספרים שבקבלה אינם מתיישבים. כדאי לבדוק שוב.',
    checks: {
      SUBTOTAL_PLUS_TAX: 'בקבלה, סכום הביניים והמס אינם מסתכמים לסך הכול. כדאי לבדוק שוב.',
      ITEMS_ADD_UP: 'בקבלה, השורות אינן מסתכמות לסך הכול. כדאי לבדוק שוב.',
      CASH_MINUS_CHANGE: 'בקבלה, המזומן פחות העודף אינו הסך הכול. כדאי לבדוק שוב.',
      TAX_RATE: 'בקבלה, המס אינו מתאים לשיעור שלו. כדאי לבדוק שוב.',
    },
  },
)
