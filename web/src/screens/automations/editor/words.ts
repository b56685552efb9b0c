import { count, words } from '../../../words.ts'

export const automationWords = words(
  {
    title: 'Automations', automation: 'Automation', search: 'Name or event', name: 'Name', state: 'State',
    states: { DRAFT: 'Draft', ENABLED: 'On', PAUSED: 'Off', PAUSED_NO_ACCESS: 'Paused: a right is missing' }, lastRun: 'Last run',
    turnOn: (name: string) => `Turn on ${name}`, isOn: (name: string) => `${name} is on`, isOff: (name: string) => `${name} is off`,
    more: (name: string) => `More for ${name}`, open: 'Open', runs: 'Runs', duplicate: 'Duplicate', remove: 'Delete', undo: 'Undo', deliveries: 'Deliveries',
    kinds: { TRIGGER: 'When', FILTER: 'Find', ACTION: 'Do', CUSTOM: 'Custom' },
    kindNames: { TRIGGER: 'Trigger', FILTER: 'Filter', ACTION: 'Action', CUSTOM: 'Custom block' }, unset: 'Not chosen yet',
    blocks: (n: number) => count('en', n, { one: '1 block', other: (m) => `${m} blocks` }),
  },
  {
    title: 'אוטומציות', automation: 'אוטומציה', search: 'שם או אירוע', name: 'שם', state: 'מצב',
    states: { DRAFT: 'טיוטה', ENABLED: 'פעילה', PAUSED: 'כבויה', PAUSED_NO_ACCESS: 'מושהית: חסרה הרשאה' }, lastRun: 'הרצה אחרונה', turnOn: (name) => `הפעלת ${name}`,
    isOn: (name) => `${name} פעילה`, isOff: (name) => `${name} כבויה`, more: (name) => `עוד על ${name}`, open: 'פתיחה', runs: 'הרצות', duplicate: 'שכפול',
    remove: 'מחיקה', undo: 'ביטול', deliveries: 'משלוחים', kinds: { TRIGGER: 'כאשר', FILTER: 'מציאה', ACTION: 'פעולה', CUSTOM: 'מיוחד' },
    kindNames: { TRIGGER: 'אירוע מפעיל', FILTER: 'סינון', ACTION: 'פעולה', CUSTOM: 'רכיב מיוחד' }, unset: 'עדיין לא נבחר',
    blocks: (n) => count('he', n, { one: 'רכיב אחד', two: 'שני רכיבים', other: (m) => `${m} רכיבים` }),
  },
) // biome-ignore format: a list of words
