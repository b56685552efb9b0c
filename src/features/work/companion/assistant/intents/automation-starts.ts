export type Subject = 'document' | 'expense' | 'payment' | 'other'

/** What can start an automation, by the words of the sentence; the first that fits. `of` is what its payload is about. */
export const starts: readonly (readonly [RegExp, string, Subject])[] = [
  [/automation (fails|failed|breaks)|אוטומציה (נכשלת|נופלת|נכשלה)/, 'automation.failed', 'other'],
  [
    /stock (is|gets|runs|goes|drops|falls)( too)? (low|out)|run(s|ning)? (low|out)|low (on )?stock|out of stock|מלאי (נמוך|אוזל|נגמר|יורד)|אוזל|נגמר/,
    'stock.low',
    'other',
  ],
  [
    /overdue|past due|late|not paid by|after (the |its |their )?due date|(אחרי|לאחר) (מועד|תאריך) ה?(תשלום|פירעון)|באיחור|בפיגור|עבר מועד|עובר מועד|עבר זמנ|מאחר/,
    'invoice.overdue',
    'document',
  ],
  [/disput|מחלוקת|ערעור/, 'invoice.disputed', 'document'],
  [/(expense|receipt|claim|הוצאה|הוצאות).{0,30}(approved|אושר|מאושר)/, 'expense.approved', 'expense'],
  [/(expense|claim|הוצאה).{0,30}(rejected|declined|נדח)/, 'expense.rejected', 'expense'],
  [/(expense|הוצאה).{0,30}(paid|שול)/, 'expense.paid', 'expense'],
  [
    /(expense|claim|הוצאה|הוצאות).{0,40}(submitted|sent for|waits|waiting|pending|הוגש|מוגש|ממתינ|לאישור)|(submitted|waiting) expense/,
    'expense.submitted',
    'expense',
  ],
  [
    /(new|a new|added) (customer|client)|(customer|client) (is )?(added|created|signs|joins)|לקוח חדש|(נוסף|נפתח|מתווסף) לקוח/,
    'customer.created',
    'other',
  ],
  [/(payslip|תלוש).{0,20}(approved|אושר)/, 'payslip.approved', 'other'],
  [/(payslip|תלוש).{0,20}(paid|שול)/, 'payslip.paid', 'other'],
  [/order.{0,30}(received|arrives|arrived|delivered)|הזמנה.{0,20}(התקבל|הגיע|נקלט)/, 'order.received', 'other'],
  [/order.{0,20}(opened|placed|comes in|created)|הזמנה חדשה|נפתחת הזמנה/, 'order.opened', 'other'],
  [
    /(invoice|bill|document|חשבונית).{0,30}(is paid|gets paid|was paid|paid|שולמ|משולמ|נפרע)|(pays?|paid) (an?|the|his|her|their) (invoice|bill)|(שילם|משלם|משלמת|משלמים|משלמות).{0,15}חשבונית/,
    'invoice.paid',
    'document',
  ],
  [
    /payment (is |was )?(received|recorded|comes in|arrives)|receive a payment|(תשלום|תקבול).{0,12}(מתקבל|התקבל|נרשם|נכנס)|(מתקבל|התקבל|נכנס).{0,6}תשלום/,
    'payment.recorded',
    'payment',
  ],
  [/(invoice|document|חשבונית).{0,20}(sent|נשלח)/, 'invoice.sent', 'document'],
  [
    /(invoice|document|חשבונית).{0,20}(issued|הופק|הונפק|יוצאת|מופק)|(הופק|הונפק|מופקת|מונפקת|יוצאת).{0,6}חשבונית/,
    'invoice.issued',
    'document',
  ],
  [/(new invoice|invoice.{0,15}created|חשבונית חדשה|נוצרת חשבונית)/, 'invoice.created', 'document'],
  [
    /(new expense|expense.{0,20}(created|added|comes in|arrives)|הוצאה חדשה|נוספת הוצאה|נוצרת הוצאה)/,
    'expense.created',
    'expense',
  ],
  [/(expense|claim|הוצאה|הוצאות)/, 'expense.submitted', 'expense'],
]

/** How often a schedule runs, by the words of the sentence. */
export const schedules: readonly (readonly [RegExp, string])[] = [
  [/every hour|hourly|כל שעה/, 'schedule.hourly'],
  [
    /every (day|morning|evening|night)|each (day|morning)|daily|כל (יום|בוקר|ערב)(?! (ראשון|שני|שלישי|רביעי|חמישי|שישי|שבת))(?! ?[א-ו]['׳])|מדי יום|יומי/,
    'schedule.daily',
  ],
  [
    /every (week|sunday|monday|tuesday|wednesday|thursday|friday|saturday|weekend)|each (week|monday|sunday|friday)|weekly|on (mondays|sundays|fridays|tuesdays|wednesdays|thursdays)|כל (שבוע|יום|סוף שבוע)|מדי שבוע|בימי|שבועי/,
    'schedule.weekly',
  ],
  [
    /every month|each month|monthly|(on the )?(first|1st) of (every|each|the) month|end of (every|each|the) month|recurring invoice|כל חודש|מדי חודש|חשבונית (קבועה|חוזרת|מחזורית)|בכל חודש|חודשי|כל 1 ל|בראשון לחודש|כל ראשון לחודש/,
    'schedule.monthly',
  ],
]
