import { words } from '../../../words.ts'

export const deliveryWords = words(
  {
    title: 'Deliveries', kinds: { WEBHOOK: 'Webhook', EMAIL: 'E-mail' }, views: { all: 'All', failed: 'Not delivered', WEBHOOK: 'Webhooks', EMAIL: 'E-mails' },
    outcomes: { SENDING: 'On its way', DELIVERED: 'Delivered', FAILED: 'Failed, tried again', REFUSED: 'Refused', UNKNOWN: 'Not known' },
    at: 'When', kind: 'Kind', target: 'To', outcome: 'Outcome', attempt: 'Attempt', status: 'Answer', reason: 'Why', answer: 'What it answered', took: 'Took', webhookId: 'Id at the receiver', openRun: 'Open the run',
    none: 'Nothing was sent yet', noneHint: 'Webhooks and e-mails of automations stand here, each attempt with its answer.', back: 'Automations', all: 'Of all automations',
    secret: 'Webhook secret',
    secrets: 'Secrets', secretsTitle: 'Secrets for webhook headers', secretsHint: 'In a header of a webhook, {{secrets.NAME}} stands for the secret. Nobody can read it again.', secretName: 'Name, in capitals', secretValue: 'Secret, at least 8 characters', setSecret: 'Keep it', kept: (name: string) => `${name} is kept`, removeSecret: (name: string) => `Delete ${name}`, removeAsk: 'Webhooks that send it fail from now on.', remove: 'Delete', noSecrets: 'No secrets yet',
  },
  {
    title: 'משלוחים', kinds: { WEBHOOK: 'Webhook', EMAIL: 'דוא״ל' }, views: { all: 'הכול', failed: 'לא נמסרו', WEBHOOK: 'Webhooks', EMAIL: 'דוא״ל' },
    outcomes: { SENDING: 'בדרך', DELIVERED: 'נמסר', FAILED: 'נכשל, ינוסה שוב', REFUSED: 'סורב', UNKNOWN: 'לא ידוע' },
    at: 'מתי', kind: 'סוג', target: 'אל', outcome: 'תוצאה', attempt: 'ניסיון', status: 'תשובה', reason: 'למה', answer: 'מה נענה', took: 'משך', webhookId: 'המזהה אצל המקבל', openRun: 'פתיחת ההרצה',
    none: 'עדיין לא נשלח דבר', noneHint: 'כאן יופיעו קריאות והודעות דוא״ל של אוטומציות, כל ניסיון עם התשובה.', back: 'אוטומציות', all: 'של כל האוטומציות',
    secret: 'סוד החתימה',
    secrets: 'סודות', secretsTitle: 'סודות לכותרות של webhooks', secretsHint: 'בכותרת של webhook, ‎{{secrets.NAME}}‎ עומד במקום הסוד. אי אפשר לקרוא אותו שוב.', secretName: 'שם, באותיות גדולות', secretValue: 'סוד, לפחות 8 תווים', setSecret: 'שמירה', kept: (name) => `${name} נשמר`, removeSecret: (name) => `מחיקת ${name}`, removeAsk: 'קריאות ששולחות אותו ייכשלו מעכשיו.', remove: 'מחיקה', noSecrets: 'עדיין אין סודות',
  },
) // biome-ignore format: a list of words
