/** The most milliseconds that the host's timers take: one of a longer span fires at once. */
export const longestTimer = 2 ** 31 - 1;
