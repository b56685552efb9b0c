import { conflict } from '../../../../core/define/failure.ts'

/** There is no answer that fits. The sentence repeats nothing of the data: who sees the error may not see the data. */
export const noAnswer = (sentence: string) => conflict(`There is no answer. ${sentence}`, 'NO_ANSWER')
