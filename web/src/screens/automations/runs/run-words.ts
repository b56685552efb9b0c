import { count, words } from '../../../words.ts'

export const runWords = words(
  {
    title: (name: string) => `Runs of ${name}`, runs: 'Runs', run: 'Run', started: 'Started', took: 'Took', outcome: 'Outcome', by: 'Started by', problem: 'What went wrong', test: 'A test', event: 'An event',
    views: { all: 'All', RUNNING: 'Running', FAILED: 'Failed', SUCCEEDED: 'Succeeded', CANCELLED: 'Cancelled' }, none: 'No runs yet', noneHint: 'Every run stands here, with what each block did.', noneHere: 'No run like this', noneHereHint: 'Another period or outcome may have some.', from: 'From', to: 'To', clear: 'Any time',
    graph: 'The graph, coloured by outcome', back: 'All runs', edit: 'Open the automation', cancel: 'Cancel the run', cancelTitle: 'Cancel this run?', cancelAsk: 'Steps that wait are skipped. A webhook or letter on its way may still arrive, and what was done stays.', cancelAct: 'Cancel the run', cancelled: 'The run is cancelled',
    replay: 'Replay…', replayTitle: 'What a replay would do', replayAct: 'Replay', replaying: 'The run goes on', reused: 'Taken over, not repeated', next: 'Will run', later: 'Will run after that', gone: 'No block any more; what it did stays', notReplayable: 'It cannot be replayed.', skips: 'would be skipped',
    why: { FAILED: 'failed before', CANCELLED: 'was cancelled', UNFINISHED: 'was not finished', SKIPPED_BEFORE: 'was skipped before', SUCCEEDED: 'succeeded before', NEW_ELEMENT: 'a new element', OTHER_FORM: 'its list has changed', NEW_BLOCK: 'a new block: its effect happens again', NOT_REACHED: 'was not reached' },
    steps: 'Steps', details: 'Details', input: 'Input', output: 'Output', attempt: (n: number) => `Attempt ${n}`, element: (n: number) => `Element ${n}`, elements: (n: number) => count('en', n, { one: '1 element', other: (m) => `${m} elements` }), ms: (n: string) => `${n} ms`, seconds: (n: string) => `${n} s`,
    waits: (at: string) => `Waits until ${at}`, notReached: 'Not reached', payload: 'What started it', removedBlock: 'A block that is no longer in the graph', sent: 'What it sent outside', made: 'What it made', live: 'Follows the run as it goes',
    replayFailed: 'Replay failed runs…', replayFailedTitle: 'Replay the failed runs of a period', replayFailedAct: 'Replay them', replayFailedHint: 'Each run goes on at the step that failed, with the graph as it is now. Steps that succeeded are not repeated.',
    replayed: (n: number) => count('en', n, { one: '1 run goes on', other: (m) => `${m} runs go on` }), skippedRuns: (n: number) => count('en', n, { one: '1 run was skipped', other: (m) => `${m} runs were skipped` }), noFailed: 'No failed run in this period',
    nothing: 'Nothing', 
  },
  {
    title: (name) => `הרצות של ${name}`, runs: 'הרצות', run: 'הרצה', started: 'התחילה', took: 'משך', outcome: 'תוצאה', by: 'הופעלה על ידי', problem: 'מה השתבש', test: 'בדיקה', event: 'אירוע',
    views: { all: 'הכול', RUNNING: 'רצות', FAILED: 'נכשלו', SUCCEEDED: 'הצליחו', CANCELLED: 'בוטלו' }, none: 'עדיין אין הרצות', noneHint: 'כאן תופיע כל הרצה, עם מה שעשה כל רכיב.', noneHere: 'אין הרצה כזו', noneHereHint: 'אולי יש בתקופה או בתוצאה אחרת.', from: 'מתאריך', to: 'עד תאריך', clear: 'בכל זמן',
    graph: 'התרשים, צבוע לפי תוצאה', back: 'כל ההרצות', edit: 'פתיחת האוטומציה', cancel: 'ביטול ההרצה', cancelTitle: 'לבטל את ההרצה?', cancelAsk: 'צעדים ממתינים ידולגו. מכתב או קריאה שכבר בדרך עשויים להגיע, ומה שנעשה נשאר.', cancelAct: 'ביטול ההרצה', cancelled: 'ההרצה בוטלה',
    replay: 'הרצה חוזרת…', replayTitle: 'מה תעשה הרצה חוזרת', replayAct: 'הרצה חוזרת', replaying: 'ההרצה ממשיכה', reused: 'נלקח כמות שהוא, בלי לחזור', next: 'ירוץ', later: 'ירוץ אחר כך', gone: 'אין עוד רכיב; מה שעשה נשאר', notReplayable: 'אי אפשר להריץ אותה שוב.', skips: 'ידולג',
    why: { FAILED: 'נכשל קודם', CANCELLED: 'בוטל', UNFINISHED: 'לא הסתיים', SKIPPED_BEFORE: 'דולג קודם', SUCCEEDED: 'הצליח קודם', NEW_ELEMENT: 'איבר חדש', OTHER_FORM: 'הרשימה שלו השתנתה', NEW_BLOCK: 'רכיב חדש: הפעולה תקרה שוב', NOT_REACHED: 'לא הגיעו אליו' },
    steps: 'צעדים', details: 'פרטים', input: 'קלט', output: 'פלט', attempt: (n) => `ניסיון ${n}`, element: (n) => `איבר ${n}`, elements: (n) => count('he', n, { one: 'איבר אחד', two: 'שני איברים', other: (m) => `${m} איברים` }), ms: (n) => `${n} אלפיות שנייה`, seconds: (n) => `${n} שניות`,
    waits: (at) => `ממתין עד ${at}`, notReached: 'לא הגיעו אליו', payload: 'מה שהפעיל אותה', removedBlock: 'רכיב שאינו עוד בתרשים', sent: 'מה שנשלח החוצה', made: 'מה שנוצר', live: 'מתעדכן עם ההרצה',
    replayFailed: 'הרצה חוזרת של כישלונות…', replayFailedTitle: 'הרצה חוזרת של כישלונות בתקופה', replayFailedAct: 'להריץ שוב', replayFailedHint: 'כל הרצה ממשיכה מהצעד שנכשל, עם התרשים כפי שהוא עכשיו. צעדים שהצליחו אינם חוזרים.',
    replayed: (n) => count('he', n, { one: 'הרצה אחת ממשיכה', two: 'שתי הרצות ממשיכות', other: (m) => `${m} הרצות ממשיכות` }), skippedRuns: (n) => count('he', n, { one: 'הרצה אחת דולגה', two: 'שתי הרצות דולגו', other: (m) => `${m} הרצות דולגו` }), noFailed: 'אין הרצה שנכשלה בתקופה זו',
    nothing: 'כלום', 
  },
) // biome-ignore format: a list of words
