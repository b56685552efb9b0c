import { words } from '../../../words.ts'
import { automationWords } from '../editor/words.ts'

/** Of the list of automations and of runs, without which the graph is shown sooner. */
export const listWords = words(
  {
    ...automationWords.en,
    create: 'New automation', views: { all: 'All', on: 'On', off: 'Off', paused: 'Paused' }, starts: 'Starts with', startsNever: 'Nothing yet',
    success: 'Success, 30 days', owner: 'Owner', former: 'A former member', copyOf: (name: string) => `Copy of ${name}`,
    duplicated: (name: string) => `${name} is ready, and off`, removed: (name: string) => `${name} deleted`, none: 'No automations yet',
    noneHint: 'An automation does something by itself when something happens: a reminder, a copy, a letter.', noneHere: 'Nothing here',
    noneHereHint: 'No automation is in this state.', templates: 'Templates', never: 'Never',
  },
  {
    ...automationWords.he,
    create: 'אוטומציה חדשה', views: { all: 'הכול', on: 'פעילות', off: 'כבויות', paused: 'מושהות' }, starts: 'מתחילה עם', startsNever: 'עדיין כלום',
    success: 'הצלחה, 30 יום', owner: 'בעלים', former: 'חבר לשעבר', copyOf: (name) => `עותק של ${name}`, duplicated: (name) => `${name} מוכנה, וכבויה`,
    removed: (name) => `${name} נמחקה`, none: 'עדיין אין אוטומציות', noneHint: 'אוטומציה עושה דבר מה בעצמה כשקורה משהו: תזכורת, עותק, מכתב.', noneHere: 'אין כאן דבר',
    noneHereHint: 'אין אוטומציה במצב הזה.', templates: 'תבניות', never: 'מעולם לא',
  },
) // biome-ignore format: a list of words
