import { isTaxCalled } from '../understood.ts'
import type { Said } from './said.ts'

/** What the assistant cannot do, however it is asked: `about` is told to the person. */
type Cannot = { about: string; words: readonly string[]; if?: (said: Said) => boolean }

/** What people ask assistants for that has nothing to do with the books. */
const outside =
  /\b(flights?|hotel room|taxi for me|restaurant table|pizza|lunch for|weather|joke|poem|essay|song|recipe|football|movie|news|translate|whatsapp|sms|text message|call (the|my|our|him|her)|a call|a ring|ring up|phone (him|her|them)|set an alarm|my calendar|calendar|meeting|appointment|lawsuit|sue |stock market|bitcoin|loan|mortgage|linkedin|facebook|instagram|twitter|social media|deductible|legal advice|lawyer)\b|טיסה|טיסות|פיצה|מזג האוויר|מזג אוויר|בדיחה|מתכון|תרגם|תתרגם|ווטסאפ|וואטסאפ|סמס|תתקשר|להתקשר|פגישה|יומן שלי|משכנתא|הלוואה|ביטקוין|חדשות/i

/** Customers who have not bought for some time: no list tells what is not there. */
const quiet =
  /\b(haven'?t|have not|hasn'?t|has not|didn'?t|did not|not|no longer|stopped|never) (been )?(order(ed|ing)?|b(ought|uy|uying)|purchas(ed|e|ing))\b|\bno orders? (in|for|since)\b|\b(lost|inactive|dormant) (customers?|clients?)\b|(לא|הפסיקו|הפסיק|טרם|מזמן לא) (ל?הזמינו?|ל?הזמין|קנו|קנה|קנתה|רכשו|לקנות|להזמין)|לקוחות (רדומים|לא פעילים|אבודים)/i

// biome-ignore format: a table
export const cannots: Cannot[] = [
  { about: 'quiet-customers', words: ['customer|who +order +boughtBy +expense +customer +list +which +all +inactive +@sales +revenue'], if: ({ text }) => quiet.test(text) },
  { about: 'invitations', words: ['invite +member +role +employee +create +organization', 'create member +role +employee', 'create role +member +employee'], if: ({ slots, has, isAsking }) => !isAsking && (slots.emails.length > 0 || has('member', 'role')) },
  { about: 'cancel-issued', words: ['cancel|void document|invoice +customer +invoice +document -payment -order -expense -creditMemo -draftState -receipt -invoiceReceipt -request -automation'], if: ({ isAsking, slots }) => !isAsking && !slots.numbers.some(({ text }) => /^(rc|pr|q|cm)/i.test(text)) },
  { about: 'prefix', words: ['change settings +invoice +@sales'], if: ({ text, isAsking, name }) => !isAsking && (name('supplier') === undefined || !/terms|תנאי/i.test(text)) && /prefix|payment terms|תנאי ה?תשלום|קידומת/i.test(text) },
  { about: 'category-name', words: ['change category +expense'], if: ({ text, isAsking }) => !isAsking && /rename|שם/i.test(text) },
  { about: 'sign-ins', words: ['+revenue +who +record +which +list +last +payment'], if: ({ text, isAsking }) => isAsking && /\b(logged in|logged on|signed in|log ?ins?|sign-?ins?)\b|(התחבר|התחברה|התחברו|נכנס|נכנסה|נכנסו) (ל|אל ה?)(מערכת|תוכנה|חשבון שלנו)/i.test(text) },
  { about: 'sales-tax', words: ['salesTax +howMuch +list +export +payables +pay +owed +vat +tax'], if: ({ around }) => !isTaxCalled(around, 'sales tax') },
  { about: 'without-file', words: ['expense +receipt +attachment +list +which +all +unpaid'], if: ({ text }) => /\b(without|missing|no|lacking)( an?| any| the)? (receipts?|files?|attachments?|documents?)\b|(בלי|ללא|חסרות|חסרה|אין להן|אין לה) (קבלה|קבלות|קובץ|אסמכתא|מסמך)/i.test(text) && !/\b(reject|add|record)\b|דח/i.test(text) },
  { about: 'archive', words: ['archive|send +customer +supplier +item +@sales +expense +order +employee +draftState +member +automation'], if: ({ isAsking, has, text }) => !isAsking && (has('archive') || /לארכיון/.test(text)) },
  { about: 'api-keys', words: ['apiKey +create +list +delete +void +change +find +disable'] },
  { about: 'notifications', words: ['notification +list +all +delete +change +disable +enable +last -automation'] },
  { about: 'move-money', words: ['send bank +payment +customer +supplier', 'transfer bank +payment', 'transfer +customer +supplier +payment -record -paidBy'], if: ({ text, slots, has }) => (/\b(transfer|wire)\b.*\b(money|from our|from my|from the bank|funds)\b|(תעביר|העבר|להעביר) (כסף|\d)/i.test(text) || (slots.amounts.length > 0 && /^(transfer|wire)\b/i.test(text))) && !has('order') },
  { about: 'connect-mailbox', words: ['connect mailbox +create', 'create mailbox'], if: ({ has, isAsking }) => !isAsking && !has('list', 'which') },
  { about: 'forecast', words: ['+@income +profit +expense +dashboard +howMuch +which +cash +customer +payroll +compare'], if: ({ text }) => /\b(forecast|predict|projection|project our|will (our |the |my )?(revenue|sales|profit|income|costs?|expenses?|business|cash)|grow next|next year'?s (revenue|sales|profit))\b|תחזית|לחזות|תחזה|צפי|(יגדלו|יעלו|יהיו|יהיה).{0,25}(הכנסות|רווח|מכירות|שנה הבאה)|(הכנסות|רווח|מכירות).{0,25}(יגדלו|יעלו|יהיו|יהיה|בשנה הבאה)/i.test(text) },
  { about: 'days-to-pay', words: ['+overdue +average +customer +who +pay +paid +paidBy +payment +howMuch +howMany +which +me +hours +@sales +top +dueSoon'], if: ({ text, isAsking }) => isAsking && /\b(average|typical(ly)?|usually|how many|how long|how quickly|how fast)\b.{0,40}\b(days?|time|long|quickly|fast)\b.{0,40}\b(pay|paid|payment)|\b(dso|days sales outstanding)\b|\bhow (long|quickly|fast|late)\b.{0,40}\bpay\b|(ממוצע|תוך) .{0,12}(ימי|זמן|ימים).{0,30}(תשלום|משלמ|לשלם)|כמה (זמן|ימים) .{0,20}(לוקח|עובר).{0,30}(לשלם|משלמ|תשלום)/i.test(text) },
  { about: 'by-item', words: ['bestSeller +item +which +revenue +top +howMuch +stock +customer', 'top item +which +revenue +bestSeller +howMuch', 'item revenue +top +which +howMuch +howMany'], if: ({ has, isAsking, slots }) => slots.amounts.length === 0 && (isAsking || has('bestSeller', 'top')) && !has('stock') },
  { about: 'export-documents', words: ['export @sales +customer +list +sentState +paid +unpaid +open +overdue'] },
  { about: 'advice', words: ['+expense +tax +vat +it +find +please +which +customer +supplier +cash'], if: ({ text, isAsking }) => isAsking && /\b(deductible|legal advice|is it legal|am i allowed to|tax advice)\b|מוכר לצורכי מס|מוכרת לצורכי מס|ייעוץ מס|מותר לי לקזז|האם מותר/i.test(text) },
  { about: 'file-return', words: ['submit +taxAuthority +vat +tax +statutory +create +income +salesTax +gstF5', '+submit +send +issue +taxAuthority +vat +tax +income'], if: ({ text, isAsking, has }) => !isAsking && !has('clearance', 'invoice', 'document', 'expense') && /\b(file|submit|lodge)\b.{0,30}\b(return|taxes|tax|gst|vat|report)\b|(תגיש|הגש|להגיש|תגישי|תדווח|תשדר).{0,40}(דוח|מס|מע"מ|מעמ)/i.test(text) },
  { about: 'outside', words: ['+remind +list +create +order +invite +send +find +record +me +please +which +account +change +draft'], if: ({ text, slots, has }) => slots.amounts.length === 0 && !has('expense', 'category') && outside.test(text) },
  { about: 'password', words: ['change +find', '+please'], if: ({ text }) => /\bpassword\b|סיסמ/i.test(text) },
  { about: 'delete-company', words: ['delete organization', 'delete +organization +all'], if: ({ text }) => /(company|organization|organisation|business|everything|העסק|החברה|הארגון|הכל)/i.test(text) && !/\b(customer|expense|invoice|draft)|from (the|our) |מה(חברה|עסק|ארגון)/i.test(text) },
  { about: 'import', words: ['import create', 'import +export +customer +supplier +item +employee +expense +@sales +stock'], if: ({ text, isAsking }) => !isAsking && /^(please )?(import|upload)\b|^(תייבא|ייבא|לייבא)/i.test(text) },
  { about: 'edit-issued', words: ['create|delete|change @sales|draftState +draftState +@sales +customer -payment -expense -order'], if: ({ isAsking, text }) => !isAsking && (/\b(remove|delete|drop)\b.*\blines?\b|(מחק|תמחק|הסר|תסיר|תוריד).*שורה/i.test(text) || /^\s*(please )?add\b.*\bto (the )?(invoice|receipt|quote) \d|(תוסיף|הוסף).*ל(חשבונית|קבלה) \d/i.test(text)) },
  { about: 'edit-issued', words: ['change @sales +customer -draftState -settings -paid -paidState -expense'], if: ({ isAsking }) => !isAsking },
]
