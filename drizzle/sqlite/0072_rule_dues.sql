CREATE TABLE `rule_dues` (
	`tenant_id` text NOT NULL,
	`rule_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`kind` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `rule_id`, `ticket_id`, `kind`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`tenant_id`,`rule_id`) REFERENCES `rules`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`ticket_id`,`kind`) REFERENCES `promise_clocks`(`tenant_id`,`ticket_id`,`kind`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `rule_dues_promise` ON `rule_dues` (`tenant_id`,`ticket_id`,`kind`);