/** The forms of SEP-1034 (defaults) and SEP-1330 (choices), as the suite looks for them. */
export const formWithDefaults = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
  required: [],
}

const titled = (value: string, title: string) => ({ const: value, title })
const options = ['option1', 'option2', 'option3']

export const enumForm = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: {
      type: 'string',
      oneOf: [titled('value1', 'First Option'), titled('value2', 'Second Option'), titled('value3', 'Third Option')],
    },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: {
      type: 'array',
      items: {
        anyOf: [titled('value1', 'First Choice'), titled('value2', 'Second Choice'), titled('value3', 'Third Choice')],
      },
    },
  },
  required: [],
}
