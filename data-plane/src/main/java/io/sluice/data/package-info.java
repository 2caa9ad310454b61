/** The gateway: identifies, plans, calls upstream models and delivers their answers. */
package io.sluice.data;
