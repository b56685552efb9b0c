import type { Said } from './said.ts'

/** What the assistant cannot do, however it is asked: `about` is told to the person. */
type Cannot = { about: string; words: readonly string[]; if?: (said: Said) => boolean }

// biome-ignore format: a table
export const cannots: Cannot[] = [
  { about: 'invitations', words: ['invite +member +role +employee +create +organization', 'create member +role +employee'], if: ({ slots, has, isAsking }) => !isAsking && (slots.emails.length > 0 || has('member', 'role')) },
  { about: 'cancel-issued', words: ['cancel|void document|invoice +customer +invoice +document -payment -order -expense -creditMemo -draftState -receipt -invoiceReceipt -request -automation'], if: ({ isAsking, slots }) => !isAsking && !slots.numbers.some(({ text }) => /^(rc|pr|q|cm)/i.test(text)) },
  { about: 'prefix', words: ['change settings +invoice +@sales'], if: ({ text, isAsking }) => !isAsking && /prefix|payment terms|תנאי ה?תשלום|קידומת/i.test(text) },
  { about: 'category-name', words: ['change category +expense'], if: ({ text, isAsking }) => !isAsking && /rename|שם/i.test(text) },
  { about: 'api-keys', words: ['apiKey +create +list +delete +void +change +find +disable'] },
  { about: 'notifications', words: ['notification +list +all +delete +change +disable +enable +last -automation'] },
  { about: 'move-money', words: ['transfer bank +payment', 'transfer +customer +supplier +payment -record -paidBy'], if: ({ text, slots, has }) => (/\b(transfer|wire)\b.*\b(money|from our|from my|from the bank|funds)\b|(תעביר|העבר|להעביר) (כסף|\d)/i.test(text) || (slots.amounts.length > 0 && /^(transfer|wire)\b/i.test(text))) && !has('order') },
  { about: 'connect-mailbox', words: ['connect mailbox +create', 'create mailbox'], if: ({ has, isAsking }) => !isAsking && !has('list', 'which') },
  { about: 'password', words: ['change +find', '+please'], if: ({ text }) => /\bpassword\b|סיסמ/i.test(text) },
  { about: 'delete-company', words: ['delete organization', 'delete +organization +all'], if: ({ text }) => /(company|organization|organisation|business|everything|העסק|החברה|הארגון|הכל)/i.test(text) && !/\b(customer|expense|invoice|draft)|from (the|our) |מה(חברה|עסק|ארגון)/i.test(text) },
  { about: 'import', words: ['import create', 'import'], if: ({ text, isAsking }) => !isAsking && /^(please )?(import|upload)\b|^(תייבא|ייבא|לייבא)/i.test(text) },
  { about: 'edit-issued', words: ['change @sales +customer -draftState -settings -paid -paidState -expense'], if: ({ isAsking }) => !isAsking },
]
