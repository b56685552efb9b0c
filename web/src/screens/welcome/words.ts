import { words } from '../../words.ts'

export const welcomeWords = words(
  {
    title: 'Your organization',
    hint: 'Three questions, then your first invoice. All of it can be changed later.',
    country: 'Where is it registered?',
    countryHint: 'Taxes, numbers and the text of documents follow the country. It cannot be changed later.',
    name: 'Its name',
    nameHint: 'As it is printed on documents.',
    number: 'Registration number (optional)',
    taxNumber: 'Number for VAT or GST (optional)',
    taxNumberHint: 'Leave it empty if the organization is not registered for the tax.',
    currency: 'Main currency',
    zone: 'Time zone',
    save: 'Create the organization',
    signOut: 'Sign out',
  },
  {
    title: 'הארגון שלכם',
    hint: 'שלוש שאלות, ואז החשבונית הראשונה. הכול ניתן לשינוי אחר כך.',
    country: 'היכן הוא רשום?',
    countryHint: 'המיסים, המספרים ונוסח המסמכים נקבעים לפי המדינה. לא ניתן לשנות אותה אחר כך.',
    name: 'שם הארגון',
    nameHint: 'כפי שיודפס על מסמכים.',
    number: 'מספר רישום (לא חובה)',
    taxNumber: 'מספר עוסק (לא חובה)',
    taxNumberHint: 'השאירו ריק אם הארגון אינו רשום למס.',
    currency: 'מטבע עיקרי',
    zone: 'אזור זמן',
    save: 'יצירת הארגון',
    signOut: 'יציאה',
  },
)
