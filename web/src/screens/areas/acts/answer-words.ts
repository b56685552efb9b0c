import { words } from '../../../words.ts'

export const answerWords = words(
  {
    show: 'Show',
    file: 'Save the file',
    preview: 'Preview',
    nothing: 'Nothing there',
    before: 'Before',
    after: 'Next',
    pageOf: (page: string, pages: string) => `${page} of ${pages}`,
  },
  {
    show: 'הצגה',
    file: 'שמירת הקובץ',
    preview: 'תצוגה מקדימה',
    nothing: 'אין כאן דבר',
    before: 'הקודם',
    after: 'הבא',
    pageOf: (page, pages) => `${page} מתוך ${pages}`,
  },
)
