import { count, words } from '../../../words.ts'
import { canvasWords } from '../graph/canvas-words.ts'

/** Of the panels and dialogs beside the graph, which are loaded when they are opened. */
export const panelWords = words(
  {
    ...canvasWords.en,
    nothing: 'Nothing in the catalog fits.', block: 'Block', change: 'Change', known: 'Called in bindings', connect: 'Connect to…', config: 'Settings as JSON', mode: 'How often', each: 'Which list', guard: 'Only if', find: 'Find', follow: 'With', from: 'of', as: 'Called', conflict: 'Somebody else was faster',
    pick: 'What comes next?', pickTrigger: 'What starts it?', groups: { triggers: 'Events', filters: 'Find', actions: 'Do' }, duplicate: 'Duplicate', remove: 'Delete',
    removed: (name: string) => `${name} taken out`, gives: 'What it gives', comesFrom: 'Comes from', nowhere: 'Nothing yet', connectTo: 'Where does it lead?',
    noTarget: 'There is no block it could lead to.', custom: 'Blocks of this kind are kept, and cannot be executed.',
    modes: { ONCE: 'Once', FOR_EACH: 'For each element of a list' }, eachItself: 'The result itself', always: 'Always', addCondition: 'Add a condition',
    addGroup: 'Add a group', removeCondition: 'Remove the condition', field: 'Field', operator: 'Comparison', bind: (name: string) => `Take ${name} from another block`,
    bindTitle: 'Take a value from', bindSearch: 'Field', bindNothing: 'No earlier block gives this.', unbind: (name: string) => `Remove ${name}`,
    addFollow: 'Follow a relation', where: 'Where', addWhere: 'Add a condition', addTake: 'Take a field', fn: 'As',
    fns: { '': 'value', sum: 'sum', count: 'number of' } as Record<string, string>, shape: 'Result',
    shapes: { objects: 'Rows', scalars: 'A list of one value', scalar: 'One value' }, groupBy: 'Grouped by', addGroupBy: 'Group by',
    finds: (n: number, most: boolean) => count('en', n, { one: 'Finds 1 row now', other: (m) => `Finds ${m}${most ? ' or more' : ''} rows now` }), computed: 'Gives now',
    findsNothing: 'Finds nothing now',
    leftOut: (n: number) => count('en', n, { one: 'One condition has no value yet and is left out.', other: (m) => `${m} conditions have no value yet and are left out.` }),
    conflictAct: 'Save mine over it', conflictTheirs: 'Take theirs', conflictAdvice: 'Taking theirs drops what you changed since you opened it.', settings: 'Settings',
    testTitle: 'Test it', testActs: '“Run it for real” really acts: mail is sent, documents are written, webhooks are called.', testWith: 'With',
    testTyped: 'Values I type', testRun: 'Run it for real', testExample: 'An example', trySafely: 'Try without effects', duplicateOf: 'Duplicate the block',
  },
  {
    ...canvasWords.he,
    nothing: 'אין בקטלוג התאמה.', block: 'רכיב', change: 'החלפה', known: 'שמו בקישורים', connect: 'חיבור אל…', config: 'הגדרות כ־JSON', mode: 'כמה פעמים', each: 'איזו רשימה', guard: 'רק אם', find: 'מציאת', follow: 'יחד עם', from: 'של', as: 'בשם', conflict: 'מישהו הקדים אתכם',
    pick: 'מה קורה אחר כך?', pickTrigger: 'מה מפעיל אותה?', groups: { triggers: 'אירועים', filters: 'מציאה', actions: 'פעולה' }, duplicate: 'שכפול', remove: 'מחיקה',
    removed: (name) => `${name} הוסר`, gives: 'מה הוא נותן', comesFrom: 'מגיע מ', nowhere: 'עדיין כלום', connectTo: 'לאן הוא מוביל?',
    noTarget: 'אין רכיב שאפשר להוביל אליו.', custom: 'רכיבים מסוג זה נשמרים, ואינם ניתנים לביצוע.', modes: { ONCE: 'פעם אחת', FOR_EACH: 'לכל איבר ברשימה' },
    eachItself: 'התוצאה עצמה', always: 'תמיד', addCondition: 'הוספת תנאי', addGroup: 'הוספת קבוצה', removeCondition: 'הסרת התנאי', field: 'שדה', operator: 'השוואה',
    bind: (name) => `לקיחת ${name} מרכיב אחר`, bindTitle: 'לקיחת ערך מתוך', bindSearch: 'שדה', bindNothing: 'שום רכיב קודם אינו נותן זאת.',
    unbind: (name) => `הסרת ${name}`, addFollow: 'הוספת קשר', where: 'כאשר', addWhere: 'הוספת תנאי', addTake: 'לקיחת שדה', fn: 'בתור',
    fns: { '': 'ערך', sum: 'סכום', count: 'מספר' }, shape: 'תוצאה', shapes: { objects: 'שורות', scalars: 'רשימה של ערך אחד', scalar: 'ערך אחד' }, groupBy: 'מקובץ לפי',
    addGroupBy: 'קיבוץ לפי',
    finds: (n, most) => count('he', n, { one: 'מוצא שורה אחת כעת', two: 'מוצא שתי שורות כעת', other: (m) => `מוצא ${m}${most ? ' או יותר' : ''} שורות כעת` }),
    computed: 'נותן כעת', findsNothing: 'אינו מוצא דבר כעת',
    leftOut: (n) => count('he', n, { one: 'לתנאי אחד עדיין אין ערך, והוא הושמט.', two: 'לשני תנאים עדיין אין ערך, והם הושמטו.', other: (m) => `ל־${m} תנאים עדיין אין ערך, והם הושמטו.` }),
    conflictAct: 'לשמור את שלי במקומו', conflictTheirs: 'לקחת את שלו', conflictAdvice: 'אם תיקחו את שלו, מה ששיניתם מאז הפתיחה יאבד.', settings: 'הגדרות',
    testTitle: 'בדיקה', testActs: '„הרצה של ממש” פועלת באמת: דואר נשלח, מסמכים נכתבים, קריאות יוצאות החוצה.', testWith: 'עם', testTyped: 'ערכים שאקליד',
    testRun: 'הרצה של ממש', testExample: 'דוגמה', trySafely: 'ניסיון ללא השפעה', duplicateOf: 'שכפול הרכיב',
  },
) // biome-ignore format: a list of words
