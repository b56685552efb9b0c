/** How many days ended runs of automations are kept, unless the settings of the organization say otherwise. */
export const runsKeptDays = 180
