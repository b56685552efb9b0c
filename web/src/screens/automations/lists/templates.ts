import type { Output } from '../../../api.ts'
import type { Language } from '../../../words.ts'

export type Template = Output<'automations_templates'>['templates'][number]

/** A value of a graph that has to be filled in before it can be used. */
export type Need = { path: string; label: string; field: string; ref: string | null; isNumber: boolean; value: unknown }

const at = (value: unknown, path: string) =>
  path.split('.').reduce<unknown>((inside, name) => (inside as Record<string, unknown> | undefined)?.[name], value)

/** An object with the value at a path replaced. */
export function withValue<T>(whole: T, path: string, value: unknown): T {
  const [name = '', ...rest] = path.split('.')
  const next = rest.length > 0 ? withValue((whole as Record<string, unknown>)[name], rest.join('.'), value) : value
  if (Array.isArray(whole)) return whole.map((each, index) => (String(index) === name ? next : each)) as T
  return { ...whole, [name]: next }
}

export const needsOf = (lang: Language, template: Template): Need[] =>
  template.parameters.map(({ path, label }, index) => {
    const [list = '', position = ''] = path.split('.')
    const value = at(template, path)
    return {
      path,
      label: (lang === 'he' && hebrew[template.id]?.needs[index]) || label.replace(/^The id of the /, 'The '),
      field: path.split('.').at(-1) ?? '',
      ref: list === 'blocks' ? (template.blocks[Number(position)]?.ref ?? null) : null,
      isNumber: typeof value === 'number',
      value,
    }
  })

export const templateName = (lang: Language, { id, name }: Template) => (lang === 'he' && hebrew[id]?.name) || name
export const templateAbout = (lang: Language, { id, description }: Template) =>
  (lang === 'he' && hebrew[id]?.about) || description

const hebrew: Record<string, { name: string; about: string; needs: readonly string[] }> = {
  'recurring-invoice': { name: 'חשבונית חוזרת', about: 'בכל 1 בחודש מעתיקה חשבונית ושולחת את העותק ללקוח.', needs: ['החשבונית שחוזרת'] },
  'overdue-reminders': { name: 'תזכורות על איחור', about: 'כל יום שולחת שוב כל חשבונית שנשלחה, עבר מועדה ואינה במחלוקת.', needs: [] },
  'approval-by-amount': { name: 'אישור לפי סכום', about: 'מאשרת הוצאה קטנה שהוגשה; האחרות ממתינות לאדם.', needs: ['הסכום שעד אליו אין צורך באישור, במטבע הארגון'] },
  'monthly-inbox-scan': { name: 'סריקה חודשית של תיבת דואר', about: 'בכל חודש קוראת את הקבלות מתיבת דואר.', needs: ['תיבת הדואר'] },
  'paid-invoice-thanks': { name: 'תודה על תשלום', about: 'כותבת תודה ללקוח כשחשבונית שולמה.', needs: [] },
  'low-stock-order': { name: 'הזמנה כשהמלאי נמוך', about: 'מכינה הזמנה לספק כשפריט עומד להיגמר, במחיר הקנייה של הפריט.', needs: ['הספק', 'כמה להזמין'] },
  'low-stock-notice': { name: 'הודעה על מלאי נמוך', about: 'כותבת לאדם כשפריט עומד להיגמר.', needs: ['כתובת הדוא״ל של האדם'] },
} // biome-ignore format: a template a line
