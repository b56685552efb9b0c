import type { NotUnderstood } from '../understood.ts'
import type { Said } from './said.ts'

type Talk = NotUnderstood['intent']

// Whole sentences only: "yes, but to Dana" is no yes.
const sentences: readonly (readonly [Talk, RegExp])[] = [
  [
    'yes',
    /^(yes|yep|yeah|yup|ya|y|sure|ok|okay|k|go|go ahead|do it|confirm|confirmed|correct|right|exactly|absolutely|definitely|of course|please do|yes please|sounds good|looks good|make it so|proceed|כן|כן בבקשה|יאללה|בסדר|אוקיי|אוקי|סבבה|בטח|קדימה|תבצע|בצע|מאשר|מאשרת|אשר|נכון|בדיוק|ברור|תעשה את זה|תעשי את זה|אישור)( (please|thanks|do it|go ahead|send it|send|do that|that's right|correct|sure|it is|בבקשה|תודה|תעשה|תעשי|תשלח|תשלחי|שלח|לשלוח|קדימה|בצע|תבצע|אפשר|יאללה))*$/,
  ],
  [
    'no',
    /^(no|nope|nah|n|stop|cancel|never ?mind|forget it|don't|dont|do not|no thanks|no thank you|not now|leave it|abort|wait|hold on|skip it|no way|לא|לא תודה|עזוב|עזבי|תעזוב|עצור|ביטול|בטל|בטלי|תבטל|לא עכשיו|לא צריך|די|תשכח מזה|רגע|חכה|אל)( (thanks|please|stop|wait|it|that|don't|dont|send|do it|תודה|עכשיו|צריך|תשלח|תשלחי|את זה))*$/,
  ],
  [
    'greeting',
    /^(hi|hello|hey|heya|good (morning|evening|afternoon)|hi there|hello there|hey there|greetings|שלום|היי|הי|אהלן|בוקר טוב|ערב טוב|צהריים טובים|מה נשמע|מה קורה|מה שלומך|how are you|how are you doing|what's up|whats up|sup)( (there|kontor|everyone|all|לך|לכם|today|מה נשמע|מה קורה))*$/,
  ],
  [
    'thanks',
    /^(ok |great |perfect |super |מעולה |אחלה )?(thanks|thank you|thx|ty|cheers|many thanks|thanks a lot|thank you very much|much appreciated|great|perfect|awesome|תודה|תודה רבה|אלוף|אלופה|מעולה|אחלה|יופי|מושלם|תודה לך)( (so much|a lot|a million|very much|mate|רבה|לך|a bunch|again))*$/,
  ],
  [
    'help',
    /^(help|help me|help please|what can you do( for me)?|what (else )?do you (do|know)|what can i (ask|say|do)( you| here)?|how does this work|how do you work|how can you help( me)?|what can you help( me| us)?( with)?|who are you|what are you|commands|options|menu|\?+|עזרה|תעזור לי|תעזרי לי|מה אתה יודע( לעשות)?|מה את יודעת( לעשות)?|מה אתה יכול( לעשות)?|מה את יכולה( לעשות)?|מה אפשר( לעשות| לשאול)?( פה| כאן| אותך)?|איך זה עובד|מי אתה|מי את|איך אתה עובד|במה אתה יכול לעזור( לי| לנו)?|במה את יכולה לעזור( לי| לנו)?|מה אפשר לבקש( ממך)?|מה עוד אתה יודע( לעשות)?|איך משתמשים( בך)?)$/,
  ],
]

/** A sentence that asks for nothing: yes, no, hello, thanks, help. */
export function readTalk({ text }: Pick<Said, 'text'>): Talk | undefined {
  if (text.length > 80) return undefined
  const plain = text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[.,!;:…]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const bare = plain.replace(/\s*\?+$/, '')
  return sentences.find(([, words]) => words.test(bare) || words.test(plain))?.[0]
}

/**
 * What is asked for beside what is not: "don't send anything, just show me the drafts", "never mind, delete it". Undefined if
 * the sentence asks for nothing else.
 */
export function besideNegation(text: string): string | undefined {
  const found =
    /^\s*(?:\S+\s+)?(?:please\s+)?(?:don'?t|don’t|do not|never ?mind|forget (?:it|that)|no|אל|לא|עזוב|עזבי|תעזוב|תשכח מזה|בלי)(?=[\s,])[^,.;:–]{0,60}(?:[,.;:–]\s*|\s+(?=(?:just|but|only|instead|רק|אבל)\s))(?:(?:just|but|only|instead|rather|actually|please|רק|אבל|במקום זה|אלא)\s+)*(\S+\s+\S.*)$/i.exec(
      text,
    )
  return found?.[1]
}

const nots = /^(don't|dont|not|never|doesn't|shouldn't|אל|לא|בלי)$/

/** A command with "not" before it: "don't send it", אל תשלח. */
export function isForbidden(
  { hits, tokens, has }: Said,
  isAct: (concepts: Said['hits'][number]['concepts']) => boolean,
): boolean {
  if (has('unpaid', 'unsent')) return false
  return hits.some(
    ({ concepts, first }) => isAct(concepts) && [1, 2, 3].some((back) => nots.test(tokens[first - back]?.text ?? '')),
  )
}
