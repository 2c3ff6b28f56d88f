// Written for Waymark's tests: the part of the convention of MiniWoB++ pages that its drivers use, and nothing of its code.
var WOB_REWARD_GLOBAL = 0;
var WOB_RAW_REWARD_GLOBAL = 0;
var WOB_DONE_GLOBAL = false;
var core = { EPISODE_MAX_TIME: 10000, cover_div: null, EP_TIMER: null };

/** A small generator: the same seed draws the same numbers. */
Math.seedrandom = (seed) => {
  let state = ((seed + 1) * 1103515245) % 2147483647;
  Math.random = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
};

core.startEpisode = () => {
  if (core.cover_div === null) {
    core.cover_div = document.createElement('div');
    core.cover_div.id = 'sync-task-cover';
    core.cover_div.textContent = 'START';
    core.cover_div.onclick = () => core.startEpisodeReal();
    document.body.appendChild(core.cover_div);
  }
  core.cover_div.style.display = 'block';
};

core.startEpisodeReal = () => {
  genProblem();
  WOB_DONE_GLOBAL = false;
  WOB_REWARD_GLOBAL = 0;
  WOB_RAW_REWARD_GLOBAL = 0;
  core.cover_div.style.display = 'none';
  core.EP_TIMER = setTimeout(() => core.endEpisode(-1), core.EPISODE_MAX_TIME);
};

core.endEpisode = (reward) => {
  if (core.EP_TIMER === null) return;
  clearTimeout(core.EP_TIMER);
  core.EP_TIMER = null;
  WOB_RAW_REWARD_GLOBAL = reward;
  WOB_REWARD_GLOBAL = reward;
  WOB_DONE_GLOBAL = true;
  core.startEpisode();
};
