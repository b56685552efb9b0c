/** "Why is it 12,300?", "how is the total made up?" */
export const asksWhy = (text: string): boolean =>
  /\b(why|how come|made up|make up|makes up|break ?down|explain|consists?|add(s|ed)? up|calculated|computed|come to)\b|למה|מדוע|מורכב|פירוט|פרט|הסבר|תסביר|איך חושב|איך הגעת/i.test(
    text,
  )
