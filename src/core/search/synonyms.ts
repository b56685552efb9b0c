/**
 * What people say, and the words of the operations that they mean. A line is `words of the operations: what people say, …`; an
 * expression of several words counts before its single words. Hebrew words are written without the letters that a sentence puts
 * before them, except inside an expression.
 */
const table = `
create: add, new, make, enter, record, register, set up, open a, הוסף, הוספה, צור, יצירה, חדש, הקם, פתח, פתיחה, רשום, רישום, הזן
list: show, see, view, find, look up, search, display, which, הצג, הראה, רשימה, חפש, מצא
get read: read, details of, פרטים
update change: edit, modify, fix, correct, rename, adjust, ערוך, עדכן, עדכון, שנה, שינוי, תקן
delete: remove, erase, drop, get rid of, מחק, מחיקה, הסר, הסרה
void: take back, undo, reverse, annul, recorded by mistake, wrongly recorded, בטל, ביטול
cancel: call off, stop, abort, halt, בטל, ביטול, עצור, עצירה, הפסק
send mail: email, mail, e mail, forward, שלח, שליחה, לשלוח, מייל, דואר
print pdf: print, download, הדפס, הדפסה, להדפיס, הורד
approve status: sign off, accept, אשר, אישור, לאשר
reject status: decline, refuse, דחה, דחייה
pay payments: payment, paid, settle, תשלום, שלם, לשלם, שולם
payments record: received money, money came in, customer paid, got paid, mark as paid, התקבל תשלום, תקבול
invoice invoices document: invoice, bill a customer, bill the customer, charge a customer, sales document, tax invoice, חשבונית, חשבון עסקה, חשבונית מס
expense expenses: bill, bills, purchase invoice, supplier invoice, vendor bill, cost, spending, spend, outlay, הוצאה
receipt: voucher, קבלה
memos credit: credit note, credit memo, debit note, זיכוי, חשבונית זיכוי, הודעת זיכוי
refund: money back, pay back, repay, reimburse a customer, return the money, החזר, החזר כספי, להחזיר כסף
send invoice overdue automation remind: remind, reminder, dunning, chase, nudge, collect, תזכורת, להזכיר, הזכר, גבייה
receivables aging: who owes, owes us, owe us, owed by customers, debtors, outstanding invoices, unpaid invoices, late payers, accounts receivable, ar aging, חייבים, חייב, חוב של לקוח, חובות לקוחות, גיול
payables aging: we owe, owe to suppliers, creditors, unpaid bills, bills to pay, accounts payable, ap aging, זכאים, חובות לספקים, חוב לספק
overdue aging: late, past due, behind, באיחור, פיגור
customer customers: client, buyer, debtor, לקוח
supplier suppliers: vendor, seller, contractor, ספק
statement customer: account statement, statement of account, כרטסת לקוח, דף חשבון, מצב חשבון
employee employees payroll: staff, worker, personnel, hire, hired, new hire, עובד
payslip payslips payroll: pay slip, pay stub, paystub, salary slip, wage slip, תלוש, תלוש שכר, תלוש משכורת
payroll: salary, wage, salaries, wages, שכר, משכורת, משכורות
generate payroll: run payroll, compute pay, prepare salaries, הפק תלושים, הכנת שכר, הרץ שכר
advance payroll: salary advance, loan to an employee, מקדמה, מפרעה
tax compliance: vat, vat return, vat report, output tax, input tax, tax return, tax due, מעם, דוח מעם, מס, דיווח מעם
gst f5: gst, gst return, iras return
sales tax: nexus, state tax, us sales tax
1099 nec: 1099, contractor payments, independent contractors
statutory file: uniform file, openfrmt, tax authority file, pcn874, מבנה אחיד, קובץ אחיד, קבצים לרשויות
clearance allocation: allocation number, confirmation number, clear with the tax authority, מספר הקצאה, הקצאה
profit and loss: p l, pl, pnl, income statement, earnings, profit, net income, רווח והפסד, רווח, רוה
balance sheet: assets and liabilities, financial position, equity, מאזן
trial balance: מאזן בוחן
general ledger: account card, ledger, postings, ledger card, כרטסת, ספר ראשי
journal entry: manual entry, book entry, posting, פקודת יומן, פקודה
journal: יומן
accounts chart: chart of accounts, coa, אינדקס חשבונות
opening balances: starting balances, יתרות פתיחה
income: revenue, sales, turnover, הכנסה, הכנסות, מחזור
dashboard: overview, summary of the year, how is business, kpi, cash flow, סקירה, תמונת מצב
stock levels: inventory, on hand, warehouse, in stock, running out, מלאי, מחסן
stock movements: stock count, stocktaking, adjust stock, goods movement, תנועת מלאי, ספירת מלאי
item items: product, article, sku, goods, service, מוצר, פריט
order orders: purchase order, sales order, po, הזמנה, הזמנת רכש
receive order: goods received, goods arrived, take delivery, קבלת סחורה
deliver order: ship, dispatch, shipment, delivery note, משלוח, תעודת משלוח
match order: three way match, compare order, ordered and billed
dispute events: complaint, contest, object, disagree, מחלוקת, ערעור
duplicate: copy, clone, repeat, recurring, שכפל, העתק
convert: turn into, quote to invoice, proforma, המר, המרה
payment request: proforma, דרישת תשלום
allocate: apply, assign, match to, offset, שייך, שיוך, הקצה
unallocate: unapply, take the allocation back, detach
upload attachment: attach, file, photo, picture, scan of, העלה, העלאה, להעלות, צרף
scan: ocr, read a receipt, recognize, recognise, extract, סרוק, סריקה
mailbox email settings: inbox, imap, pop3, gmail account, mail account, תיבת דואר, תיבה
poll mailbox: fetch mail, check the inbox, read mails
category categories: קטגוריה, סיווג
bank account accounts: iban, bank details, בנק, חשבון בנק
bank file payroll: salary file, bank transfer of wages, masav, giro file, ach file, מסב, קובץ מסב
exchange rate rates: fx, currency rate, forex, conversion rate, שער, שער חליפין, מטבע
organization organizations: company, business, firm, workspace, tenant, חברה, עסק, ארגון
settings: preferences, configuration, configure, setup, logo, numbering, הגדרה, הגדרות
locked settings update: lock, close the month, close the year, close the period, period lock, month end, year end, freeze the books, נעל, נעילה, סגירת תקופה, סגירת חודש
member members: user, team, colleague, coworker, teammate, permission, role, משתמש, חבר, צוות, הרשאה
invitation invitations: invite, add a user, add user, add a colleague, give access, grant access, הזמן, הזמנת משתמש, להזמין
notification notifications: alert, news, התראה, הודעות
audit: history, log, who changed, audit trail, changes made, יומן שינויים, היסטוריה
import: migrate, upload a spreadsheet, csv, excel, bulk add, load from, ייבוא, לייבא, אקסל
export csv: export, download as csv, ייצוא
automation automations: workflow, rule, trigger, automate, automatically, automatic, אוטומציה, אוטומטי, אוטומטית
template templates: example, ready made, תבנית
runs automation: execution, what happened, failed runs, ריצה
replay: retry, rerun, run again, resume, continue
test automation: try out, dry run, בדיקה
enable: activate, arm, turn on, switch on, start it, הפעל, הפעלה
disable: deactivate, pause, turn off, switch off, stop, stop it, השבת, כבה, עצור, עצירה, הפסק
preview filter: filter, query, try a filter, סינון
deliveries webhook: webhooks, sent by automations
catalog automation: what can automations do, events and actions
einvoice: e invoice, peppol, ubl, xml invoice, electronic invoice, חשבונית אלקטרונית
link: public page, share, portal, payment link, קישור
form: report to the authority, טופס
withholding: tax withheld, ניכוי מס
me: myself, who am i
mine my: my own
month: monthly, חודש, חודשי
year: annual, yearly, annually, שנה, שנתי
document: מסמך
report reports: דוח
draft: טיוטה
supplier credit: credit of a supplier, supplier credit note, vendor credit, זיכוי מספק
`

/** Each expression with the words it stands for. */
export const synonyms: readonly (readonly [said: string, meant: string])[] = table
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [meant = '', said = ''] = line.split(':')
    return said.split(',').map((each) => [each.trim(), meant] as const)
  })
